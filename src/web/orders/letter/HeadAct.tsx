import type { ComponentProps } from "react";
import { Button } from "../../ui/button/Button.tsx";
import styles from "./HeadAct.module.css";

type HeadActProps = Omit<ComponentProps<typeof Button>, "className" | "children"> & { children: string };

/** An act in the head of a letter: an icon with its words; where there is no room, the icon alone. */
export function HeadAct(props: HeadActProps) {
  return <Button tone="ghost" size="small" title={props.children} {...props} className={styles.act} />;
}
