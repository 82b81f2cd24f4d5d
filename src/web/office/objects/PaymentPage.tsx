import { useOfficeText } from "../../language.tsx";
import { paymentActions } from "../actions/payments.tsx";
import { TablePart } from "../table/TablePart.tsx";
import { JournalPart } from "./JournalPart.tsx";
import { ObjectPage } from "./ObjectPage.tsx";

/** One payment: what its chain showed and what was made of it. */
export function PaymentPage() {
  const t = useOfficeText();
  return (
    <ObjectPage object="payment" name="payments" actions={paymentActions}>
      {({ user }, id) => (
        <>
          <TablePart
            name="payment_steps"
            title={t("timeline.title")}
            filters={{ payment: id }}
            without="payment"
          />
          <TablePart
            name="money"
            title={t("office.part.money")}
            filters={{ payment: id }}
            without="payment"
          />
          <TablePart
            name="payments"
            title={t("office.part.payments")}
            filters={{ user: user ?? "" }}
            without="user"
            whole={{ section: "payments", query: { filters: `user:${user ?? ""}` } }}
          />
          <TablePart
            isQuiet
            name="questions"
            title={t("office.section.questions")}
            filters={{ payment: id }}
            without="payment"
          />
          <JournalPart object="payment" id={id} />
        </>
      )}
    </ObjectPage>
  );
}
