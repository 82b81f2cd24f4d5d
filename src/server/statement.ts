// What the lines of a statement are about: of orders the sites and addresses, of top-ups the payments.
import type { AboutLines } from "./ledger/ledger.routes.ts";
import { namesOf } from "./orders/orders.ts";
import { paymentsOfTransfers } from "./payments/payments.ts";
import type { Db } from "./platform/db/db.ts";

export const openAboutLines =
  (db: Db): AboutLines =>
  async (userId, lines) => {
    const orderIds = lines.flatMap(({ orderId }) => orderId ?? []);
    const keys = lines.flatMap(({ kind, key }) => (kind === "topup" && key !== null ? key : []));
    const [names, payments] = await Promise.all([
      namesOf(db, userId, orderIds),
      paymentsOfTransfers(db, keys),
    ]);
    return lines.map(({ orderId, kind, key }) => {
      const named = orderId === null ? undefined : names.get(orderId);
      const paymentId = kind === "topup" && key !== null ? payments.get(key) : undefined;
      return {
        ...(named && { site: named.site, email: named.email }),
        ...(paymentId !== undefined && { paymentId }),
      };
    });
  };
