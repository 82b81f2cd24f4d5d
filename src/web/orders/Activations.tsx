import { Inbox, Keyboard, Plus, RotateCw } from "lucide-react";
import { useState } from "react";
import { useAppText } from "../language.tsx";
import { Trouble } from "../Trouble.tsx";
import { useMinimumDuration } from "../ui/feedback/useMinimumDuration.ts";
import { Button } from "../ui/button/Button.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Pagination } from "../ui/data/Pagination.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import styles from "./Activations.module.css";
import { ActivationRow } from "./ActivationRow.tsx";
import { longList } from "./activations.ts";
import type { Desk, RowActs } from "./desk.ts";
import { HintSettings } from "./HintSettings.tsx";
import { RowBones } from "./RowBones.tsx";
import { focusSite } from "./useShortcuts.ts";

const spinnerMilliseconds = 1000;

interface ActivationsProps {
  desk: Desk;
  fresh: ReadonlySet<string>;
  acts: RowActs;
  /** Opens the sheet of keyboard shortcuts. */
  onShortcuts: () => void;
}

/** The living activations of the account, newest first (spec B §2). */
export function Activations({ desk, fresh, acts, onShortcuts }: ActivationsProps) {
  return (
    <>
      <Bar desk={desk} onShortcuts={onShortcuts} />
      {desk.refused && <Trouble inset refused={desk.refused} onAgain={() => void desk.reload()} />}
      <List desk={desk} fresh={fresh} acts={acts} />
      <Pagination page={desk.page} pages={desk.pages} onPage={desk.setPage} />
    </>
  );
}

/** Says that the list looks after itself, and looks again when asked to. */
function Bar({ desk, onShortcuts }: Pick<ActivationsProps, "desk" | "onShortcuts">) {
  const t = useAppText();
  const [isAsking, setAsking] = useState(false);
  const spins = useMinimumDuration(isAsking, spinnerMilliseconds);
  const { waiting } = desk;
  const reload = async () => {
    setAsking(true);
    await desk.reload();
    setAsking(false);
  };
  return (
    <div className={styles.bar}>
      <p className={styles.live}>
        {waiting > 0 && <span aria-hidden className={styles.pulse} />}
        {waiting > 0
          ? t("activations.waiting", { count: waiting })
          : t(desk.isLoading ? "activations.loading" : "activations.idle")}
      </p>
      <div className={styles.tools}>
        <IconButton
          label={t("shortcuts.title")}
          icon={<Keyboard aria-hidden size={18} />}
          onClick={onShortcuts}
        />
        <HintSettings />
        <IconButton
          label={t("activations.refresh")}
          icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
          aria-busy={spins}
          onClick={() => void reload()}
        />
      </div>
    </div>
  );
}

function List({ desk, fresh, acts }: Pick<ActivationsProps, "desk" | "fresh" | "acts">) {
  const t = useAppText();
  if (desk.isLoading && !desk.refused) return <RowBones label={t("activations.loading")} />;
  if (desk.isLoading) return null;
  if (desk.items.length === 0) {
    const begin = (
      <Button tone="secondary" size="small" icon={<Plus aria-hidden size={16} />} onClick={focusSite}>
        {t("order.title")}
      </Button>
    );
    return (
      <EmptyState icon={<Inbox aria-hidden size={22} />} title={t("activations.empty")} action={begin}>
        {t("activations.empty.text")}
      </EmptyState>
    );
  }
  return (
    <ul
      aria-label={t("activations.title")}
      className={classNames(styles.list, desk.items.length > longList && styles.long)}
    >
      {desk.items.map((item) => (
        <ActivationRow
          key={item.key}
          item={item}
          isFresh={item.id !== undefined && fresh.has(item.id)}
          acts={acts}
        />
      ))}
    </ul>
  );
}
