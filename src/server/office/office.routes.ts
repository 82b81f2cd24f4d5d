import { officeFile, officeOverview, officeTable } from "../../contract/office/office.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { download } from "../platform/http/download.ts";
import { now } from "../platform/clock.ts";
import type { Office } from "./office.ts";

export function officeRoutes(office: Office, down: () => Promise<readonly string[]>): Route[] {
  return [
    answer(officeOverview, () => office.overview(down, now())),

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
