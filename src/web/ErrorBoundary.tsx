import { Component, type ReactNode } from "react";
import styles from "./App.module.css";
import { useText } from "./language.tsx";
import { LoadError } from "./lazyPart.tsx";
import { Button } from "./ui/button/Button.tsx";
import { Notice } from "./ui/feedback/Notice.tsx";

interface ErrorBoundaryProps {
  children: ReactNode;
  /** The part overlays the page; its error notice does too. */
  over?: boolean | undefined;
  /** Without the part nothing is shown: the page does without it. */
  quiet?: boolean | undefined;
  again?: unknown;
}

/** Shows a notice instead of a part that threw or did not load. Retries when `again` changes and when the connection returns. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override componentDidCatch(fault: unknown) {
    if (fault instanceof LoadError) fault.forget();
  }

  override componentDidMount() {
    addEventListener("online", this.mend);
  }

  override componentDidUpdate({ again }: ErrorBoundaryProps) {
    if (again !== this.props.again) this.mend();
  }

  override componentWillUnmount() {
    removeEventListener("online", this.mend);
  }

  readonly mend = () => {
    if (this.state.broken) this.setState({ broken: false });
  };

  override render() {
    if (!this.state.broken) return this.props.children;
    return this.props.quiet ? null : <BrokenNotice over={this.props.over} />;
  }
}

function BrokenNotice({ over }: Pick<ErrorBoundaryProps, "over">) {
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
