import { Check } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { drawWidget, type ServiceKind, solveAltcha } from "./captcha.ts";
import styles from "./Captcha.module.css";

interface CaptchaProps {
  /** Whether the visitor types: then the proof of work begins by itself. */
  begins?: boolean;
  /** The solution; empty when it expires. A solution counts once: give a new `key` for the next. */
  onSolved: (payload: string) => void;
  error?: string | undefined;
}

export function Captcha(props: CaptchaProps) {
  const { kind, siteKey } = useServerData().captcha;
  if (kind === "off") return <NoCaptcha onSolved={props.onSolved} />;
  if (kind === "altcha") return <Altcha {...props} />;
  return <Service {...props} kind={kind} siteKey={siteKey ?? ""} />;
}

function NoCaptcha({ onSolved }: Pick<CaptchaProps, "onSolved">) {
  // The server requires the field even without a captcha.
  useEffect(() => onSolved("off"), [onSolved]);
  return null;
}

/** A proof of work: about a second of CPU time while the visitor types, or one press; no third party. */
function Altcha({ begins, onSolved, error }: CaptchaProps) {
  const t = useText();
  const id = useId();
  const [state, setState] = useState<"ask" | "working" | "done" | "failed">("ask");
  const solve = async () => {
    if (state === "working" || state === "done") return;
    setState("working");
    try {
      onSolved(await solveAltcha());
      setState("done");
    } catch {
      // The button shows the failure and works again.
      setState("failed");
    }
  };
  const begin = useEffectEvent(() => void solve());
  useEffect(() => {
    if (begins) queueMicrotask(begin);
  }, [begins]);
  return (
    <div className={styles.captcha}>
      <button
        type="button"
        role="checkbox"
        aria-checked={state === "done"}
        aria-busy={state === "working"}
        aria-describedby={error ? `${id}-error` : undefined}
        data-invalid={error ? true : undefined}
        className={styles.button}
        onClick={() => void solve()}
      >
        <span className={styles.box} data-done={state === "done" || undefined}>
          {state === "working" && <Spinner size={14} />}
          {state === "done" && <Check aria-hidden size={14} strokeWidth={3} />}
        </span>
        {t(`captcha.${state}`)}
      </button>
      <ErrorLine id={id} error={error} />
    </div>
  );
}

function Service({ onSolved, error, kind, siteKey }: CaptchaProps & { kind: ServiceKind; siteKey: string }) {
  const t = useText();
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  // A foreign script draws the widget into an element that React does not touch.
  useEffect(() => {
    const inside = document.createElement("div");
    place.current?.replaceChildren(inside);
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    drawWidget(kind, inside, {
      sitekey: siteKey,
      theme,
      callback: onSolved,
      "expired-callback": () => onSolved(""),
    }).catch(() => setFailed(true));
  }, [kind, siteKey, onSolved]);
  return (
    <div className={styles.captcha}>
      <div ref={place} className={styles.widget} />
      <ErrorLine id={id} error={failed ? t("captcha.failed") : error} />
    </div>
  );
}

function ErrorLine({ id, error }: { id: string; error: string | undefined }) {
  return (
    <div aria-live="polite">
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  );
}
