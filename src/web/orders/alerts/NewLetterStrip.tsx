import { MailOpen, X } from "lucide-react";
import { Suspense, useState } from "react";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { answerIn, type Item, webLink } from "../list/activations.ts";
import { useLettersOffScreen } from "./useLetterAlerts.ts";
import styles from "./NewLetterStrip.module.css";
import { dismissOffScreen } from "./newLetters.ts";
import { CodeButton } from "../letter/CodeButton.tsx";
import { LetterLink } from "../letter/LetterLink.tsx";
import { LetterDialog, TimelineDialog } from "../dialogs.tsx";
import { Exact } from "../../ui/display/Exact.tsx";

export function NewLetterStrip() {
  const t = useAppText();
  const [opened, setOpened] = useState<{ item: Item; what: "letter" | "timeline" }>();
  const open = (item: Item) => {
    dismissOffScreen(item);
    setOpened({ item, what: "letter" });
  };
  const arrived = useLettersOffScreen(open);
  const close = () => setOpened(undefined);
  return (
    <>
      {arrived.length > 0 && (
        <ul aria-label={t("arrived.new")} className={styles.strip}>
          {arrived.map((item) => (
            <NewLetter key={item.key} item={item} onOpen={() => open(item)} />
          ))}
        </ul>
      )}
      <ErrorBoundary over again={opened}>
        <Suspense>
          {opened?.what === "letter" && (
            <LetterDialog
              item={opened.item}
              onClose={close}
              onTimeline={() => setOpened({ ...opened, what: "timeline" })}
            />
          )}
          {opened?.what === "timeline" && <TimelineDialog item={opened.item} onClose={close} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

function NewLetter({ item, onOpen }: { item: Item; onOpen: () => void }) {
  const t = useAppText();
  const code = answerIn(item);
  const link = webLink(item.link);
  return (
    <li className={styles.letter}>
      <div className={styles.what}>
        <Exact className={styles.site}>{item.site}</Exact>
        <Exact className={styles.email}>{item.email}</Exact>
      </div>
      {code !== undefined && <CodeButton code={code} />}
      {code === undefined && link !== undefined && <LetterLink link={link} />}
      <Button tone="secondary" size="small" icon={<MailOpen aria-hidden size={16} />} onClick={onOpen}>
        {t("arrived.open")}
      </Button>
      <IconButton
        label={t("arrived.dismiss")}
        icon={<X aria-hidden size={17} />}
        onClick={() => dismissOffScreen(item)}
      />
    </li>
  );
}
