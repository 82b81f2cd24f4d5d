import { Link } from "wouter";
import { useLanguage } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { Exact } from "../../ui/display/Exact.tsx";
import styles from "../list/Row.module.css";

/** The number of an order, which leads to its page. */
export function OrderLink({ id }: { id: string }) {
  const language = useLanguage();
  return (
    <Link href={paths.order(language, id)} className={styles.id}>
      <Exact>{`#${id}`}</Exact>
    </Link>
  );
}
