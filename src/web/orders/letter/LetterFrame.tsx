import { Image, ImageOff } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { showInFrame } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import type { Letter } from "./letter.ts";
import { frameOf } from "./letterDocument.ts";
import styles from "./LetterFrame.module.css";

// No scripts, no forms, an opaque origin: even markup that passes sanitiser and policy cannot read the token.
// So the page cannot measure the frame's height, and the frame scrolls. Links open in a new tab.
const sandbox = "allow-popups allow-popups-to-escape-sandbox";

/** A letter in a sandboxed frame; fetches remote pictures only when the reader asks. */
export function LetterFrame({ id, letter }: { id: string; letter: Letter }) {
  const t = useAppText();
  const [isAsked, setAsked] = useState(false);
  const { letterId, message, remoteImages } = letter;
  const Icon = isAsked ? Image : ImageOff;
  return (
    <div className={styles.paper}>
      {remoteImages > 0 && letterId !== undefined && (
        <div className={styles.images}>
          <Icon aria-hidden size={17} className={styles.icon} />
          <p className={styles.text}>
            {isAsked ? t("letter.images.on") : t("letter.images.off", { count: remoteImages })}
          </p>
          <Button tone="secondary" size="small" className={styles.toggle} onClick={() => setAsked(!isAsked)}>
            {t(isAsked ? "letter.images.hide" : "letter.images.show")}
          </Button>
        </div>
      )}
      {isAsked && letterId !== undefined ? (
        <FrameWithImages id={id} letterId={letterId} />
      ) : (
        <iframe
          title={t("letter.body")}
          sandbox={sandbox}
          referrerPolicy="no-referrer"
          srcDoc={frameOf(message)}
          className={styles.frame}
        />
      )}
    </div>
  );
}

/** The page's policy, which forbids pictures, binds a document written by the page; the server answers this one with its own. */
function FrameWithImages({ id, letterId }: { id: string; letterId: string }) {
  const t = useAppText();
  const name = `letter${useId()}`;
  useEffect(() => {
    showInFrame(name, "getMessage", { id, letter: letterId, preview: 1, images: 1 });
  }, [name, id, letterId]);
  return (
    <iframe
      name={name}
      title={t("letter.body")}
      sandbox={sandbox}
      referrerPolicy="no-referrer"
      className={styles.frame}
    />
  );
}
