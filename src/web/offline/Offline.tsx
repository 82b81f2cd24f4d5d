import { useText } from "../language.tsx";
import { Logo } from "../layout/Logo.tsx";
import { mark } from "../layout/mark.ts";
import button from "../ui/button/Button.module.css";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./Offline.module.css";

export function Offline() {
  const t = useText();
  return (
    <main className={styles.page}>
      <header className={styles.name}>
        <Logo />
      </header>
      <div className={styles.middle}>
        <ClosedGateDrawing />
        <h1 className={styles.title}>{t("offline.title")}</h1>
        <p className={styles.text}>{t("offline.text")}</p>
        <a href="" className={classNames(button.button, button.primary, button.medium, styles.retry)}>
          {t("offline.retry")}
        </a>
        <p className={styles.again} role="status">
          <span aria-hidden className={styles.pulse} />
          {t("offline.again")}
        </p>
      </div>
    </main>
  );
}

function ClosedGateDrawing() {
  return (
    <svg aria-hidden viewBox="0 0 320 150" className={styles.scene}>
      <path d="M0 135H320" className={styles.ground} />
      <path
        d="M44 52h40M22 80h34M68 80h16M44 108h40M236 52h40M236 80h14M262 80h36M236 108h20"
        className={styles.wall}
      />
      <g transform="translate(96 12) scale(4)" className={styles.gate}>
        <path d={mark.arch} />
        <path d={mark.gate} />
      </g>
      <g className={styles.letter}>
        <rect x="266" y="112" width="34" height="22" rx="3" />
        <path d="m268 115 15 10 15-10" />
      </g>
    </svg>
  );
}
