import { Check } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { drawWidget, type ServiceKind, solveAltcha } from "./captcha.ts";
import styles from "./Captcha.module.css";

interface CaptchaProps {
  /** The solution to send; empty when it has expired. Give a new `key` to start anew: a solution counts once. */
  onSolved: (payload: string) => void;
  error?: string | undefined;
}

/** Whatever captcha the server was set up with. */
export function Captcha(props: CaptchaProps) {
  const { kind, siteKey } = useServerData().captcha;
  if (kind === "off") return <NoCaptcha onSolved={props.onSolved} />;
  if (kind === "altcha") return <Altcha {...props} />;
  return <Service {...props} kind={kind} siteKey={siteKey ?? ""} />;
}

function NoCaptcha({ onSolved }: Pick<CaptchaProps, "onSolved">) {
  // The server asks for the field all the same.
  useEffect(() => onSolved("off"), [onSolved]);
  return null;
}

/** A proof of work: one press, a second of the visitor's processor, nothing told to anybody. */
function Altcha({ onSolved, error }: CaptchaProps) {
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
      // Nothing is lost: the button says so and works again.
      setState("failed");
    }
  };
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
  // The widget belongs to another program: it is drawn once into an element that React leaves alone.
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
