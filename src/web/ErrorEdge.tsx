import { Component, type ReactNode } from "react";
import styles from "./App.module.css";
import { useText } from "./language.tsx";
import { Button } from "./ui/Button.tsx";
import { Notice } from "./ui/Notice.tsx";

interface EdgeProps {
  children: ReactNode;
  /** The part was to stand over the page, where it is seen from everywhere: so does what stands in its place. */
  over?: boolean | undefined;
}

/**
 * A part that breaks, or whose code cannot be fetched, says so and offers to reload; the rest of the page lives on. Browsers
 * keep in mind what did not come: only a new page asks for it again.
 */
export class ErrorEdge extends Component<EdgeProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken over={this.props.over} /> : this.props.children;
  }
}

function Broken({ over }: Pick<EdgeProps, "over">) {
  const t = useText();
  const reload = (
    <p>
      <Button tone="secondary" size="small" onClick={() => location.reload()}>
        {t("ui.reload")}
      </Button>
    </p>
  );
  return (
    <div className={over ? styles.over : styles.broken}>
      <Notice tone="bad" title={t("ui.failed")} action={reload} />
    </div>
  );
}
