import { Component, type ReactNode } from "react";
import styles from "./App.module.css";
import { useText } from "./language.tsx";
import { Button } from "./ui/Button.tsx";
import { Notice } from "./ui/Notice.tsx";

/** A part that breaks, or whose code cannot be fetched, says so and offers to reload; the rest of the page lives on. */
export class ErrorEdge extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const t = useText();
  const reload = (
    <p>
      <Button tone="secondary" size="small" onClick={() => location.reload()}>
        {t("ui.reload")}
      </Button>
    </p>
  );
  return (
    <div className={styles.broken}>
      <Notice tone="bad" title={t("ui.failed")} action={reload} />
    </div>
  );
}
