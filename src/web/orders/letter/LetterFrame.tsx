import { Image, ImageOff } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { showInFrame } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import type { Letter } from "./letter.ts";
import { frameOf } from "./letterDocument.ts";
import styles from "./LetterFrame.module.css";

// No scripts, no forms, and an origin of its own: even what got past the cleaning and the policy could read nothing of ours.
// That is why the frame scrolls by itself: with our origin its height could be measured, but then one hole would be enough to
// reach the token. Popups alone are let out, so that a link opens in a tab of its own.
const sandbox = "allow-popups allow-popups-to-escape-sandbox";

/** A letter in its frame. Pictures that its sender keeps elsewhere are fetched only when the reader asks for them. */
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

/** A document that the page writes into a frame has the page's policy, which lets no picture in: this one is answered with its own. */
function FrameWithImages({ id, letterId }: { id: string; letterId: string }) {
  const t = useAppText();
  const name = `letter${useId()}`;
  // A form finds the frame by its name, once it is there.
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
