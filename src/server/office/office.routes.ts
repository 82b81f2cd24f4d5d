import { officeFile, officeTable } from "../../contract/office/office.ts";
import {
  dailySummary,
  officeFigures,
  officeOverview,
  setDailySummary,
} from "../../contract/office/overview.ts";
import { pricePreview } from "../../contract/office/price-acts.ts";
import { previewPrices } from "../catalog/catalog.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { download } from "../platform/http/download.ts";
import { momentOf, now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { showUsd } from "../platform/money.ts";
import type { Office, Standing } from "./office.ts";
import { putWanted, selectWanted } from "./office.summary.sql.ts";

const stepsShown = 20;

export function officeRoutes(db: Db, office: Office, standing: () => Promise<Standing>): Route[] {
  return [
    answer(pricePreview, async ({ asked: { from, ...asked }, refuse }) => {
      const steps = await previewPrices(db, { ...asked, from: momentOf(from) }, now());
      if (typeof steps === "string") return refuse(steps);
      const sum = (of: "before" | "after") =>
        showUsd(steps.reduce((all, step) => all + step.letters * step[of], 0n));
      return {
        count: steps.length,
        letters: Number(steps.reduce((all, { letters }) => all + letters, 0n)),
        before: sum("before"),
        after: sum("after"),
        data: steps.slice(0, stepsShown).map(({ domain, site, before, after, letters }) => ({
          domain,
          ...(site !== null && { site }),
          before: showUsd(before),
          after: showUsd(after),
          letters: Number(letters),
        })),
      };
    }),

    answer(officeOverview, () => office.overview(standing, now())),

    answer(officeFigures, ({ asked: { period } }) => office.figures(period, now())),

    answer(dailySummary, async ({ caller: { userId } }) => ({ data: await selectWanted(db, userId) })),

    answer(setDailySummary, async ({ asked: { wanted }, caller: { userId } }) => {
      await putWanted(db, userId, wanted);
      return { data: await selectWanted(db, userId) };
    }),

    answer(officeTable, async ({ asked: { page = 1, ...asking }, refuse }) => {
      const read = await office.page(asking, page, now());
      return typeof read === "string" ? refuse(read) : read;
    }),

    answer(officeFile, ({ asked, request, refuse }) => {
      const at = now();
      const pieces = office.file(asked, at);
      if (typeof pieces === "string") return refuse(pieces);
      const name = `${asked.table}-${at.toISOString().slice(0, 10)}.csv`;
      const headers = {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": `attachment; filename="${name}"`,
      };
      return download(headers, pieces, request);
    }),
  ];
}
