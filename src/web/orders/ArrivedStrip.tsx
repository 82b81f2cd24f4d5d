import { MailOpen, X } from "lucide-react";
import { useState } from "react";
import { useAppText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { answerIn, type Item, webLink } from "./activations.ts";
import { useArrivedElsewhere } from "./arrived.ts";
import styles from "./ArrivedStrip.module.css";
import { dismissElsewhere } from "./arrivals.ts";
import { CodeButton } from "./CodeButton.tsx";
import { FoundLink } from "./FoundLink.tsx";
import { LetterDialog } from "./LetterDialog.tsx";
import { TimelineDialog } from "./TimelineDialog.tsx";

/** Letters whose rows are on no page that is open: for which order, the code to copy, and the way to open them. */
export function ArrivedStrip() {
  const t = useAppText();
  const [opened, setOpened] = useState<{ item: Item; what: "letter" | "timeline" }>();
  const open = (item: Item) => {
    dismissElsewhere(item);
    setOpened({ item, what: "letter" });
  };
  const arrived = useArrivedElsewhere(open);
  const close = () => setOpened(undefined);
  return (
    <>
      {arrived.length > 0 && (
        <ul aria-label={t("arrived.new")} className={styles.strip}>
          {arrived.map((item) => (
            <Arrived key={item.key} item={item} onOpen={() => open(item)} />
          ))}
        </ul>
      )}
      {opened?.what === "letter" && (
        <LetterDialog
          item={opened.item}
          onClose={close}
          onTimeline={() => setOpened({ ...opened, what: "timeline" })}
        />
      )}
      {opened?.what === "timeline" && <TimelineDialog item={opened.item} onClose={close} />}
    </>
  );
}

function Arrived({ item, onOpen }: { item: Item; onOpen: () => void }) {
  const t = useAppText();
  const code = answerIn(item);
  const link = webLink(item.link);
  return (
    <li className={styles.letter}>
      <div className={styles.what}>
        <bdi className={styles.site}>{item.site}</bdi>
        <bdi className={styles.email}>{item.email}</bdi>
      </div>
      {code !== undefined && <CodeButton code={code} />}
      {code === undefined && link !== undefined && <FoundLink link={link} />}
      <Button tone="secondary" size="small" icon={<MailOpen aria-hidden size={16} />} onClick={onOpen}>
        {t("arrived.open")}
      </Button>
      <IconButton
        label={t("arrived.dismiss")}
        icon={<X aria-hidden size={17} />}
        onClick={() => dismissElsewhere(item)}
      />
    </li>
  );
}
