import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { others, shortcuts } from "./shortcuts.ts";
import styles from "./ShortcutsDialog.module.css";

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useAppText();
  const [isOn, setOn] = useStored(stored.shortcuts);
  return (
    <Dialog title={t("shortcuts.title")} onClose={onClose}>
      <dl className={styles.list} data-off={!isOn || undefined}>
        {shortcuts.map(({ does, key, text }) => (
          <div key={does} className={styles.row}>
            <dt>
              <kbd className={styles.key}>{key.toUpperCase()}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
        {others.map(([key, text]) => (
          <div key={key} className={styles.row}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <Switch label={t("shortcuts.use")} hint={t("shortcuts.use.hint")} checked={isOn} onChange={setOn} />
    </Dialog>
  );
}
