import { useOfficeText } from "../../language.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Letter } from "../actions/LetterDetails.tsx";
import styles from "../Office.module.css";
import { TablePart } from "../table/TablePart.tsx";
import { JournalPart } from "./JournalPart.tsx";
import { useObjectId } from "./ObjectPage.tsx";

/** One letter: how it arrived, the mailboxes that it was sent to, and the orders that got it. */
export function LetterPage() {
  const t = useOfficeText();
  const id = useObjectId();
  const title = t("office.object.letter", { id });
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <Card aria-label={title}>
        <Letter key={id} id={id} Heading="h2" />
      </Card>
      <TablePart
        name="arrivals"
        title={t("office.part.recipients")}
        filters={{ letter: id }}
        without="letter"
      />
      <JournalPart object="letter" id={id} />
    </>
  );
}
