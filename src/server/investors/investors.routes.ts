import type { z } from "zod/mini";
import { batchesSize, restrictedSitesMax } from "../../contract/limits.ts";
import { batches, type InvestorBatch, investorStats, uploadBatch } from "../../contract/investors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { daysOnWire } from "../ledger/ledger.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Batch, type Brought, type Investors, notSites, type Stats } from "./investors.ts";

interface Services {
  readonly catalog: Catalog;
  readonly investors: Investors;
  readonly limits: Limits;
}

const busySeconds = 15;

/** The calls of investors (spec O §7). */
export function investorRoutes({ catalog, investors, limits }: Services): Route[] {
  return [
    answer(uploadBatch, async ({ asked, caller, request, refuse }) => {
      if (!caller.investor) return refuse("not an investor");
      const file = request.file;
      if (!file) return refuse("type");
      const sites = [
        ...new Set((asked.sites ?? "").split(",").map((name) => name.trim().toLowerCase())),
      ].filter((name) => name !== "");
      const invalid =
        sites.length > restrictedSitesMax
          ? sites.slice(restrictedSitesMax)
          : await notSites(catalog.siteOf, sites);
      if (invalid.length > 0) return refuse("sites", { invalid });
      const at = now();
      const who = { account: String(caller.userId), address: request.address };
      const wait = await limits.take("uploads", who, at);
      if (wait !== undefined) return new Limited(wait);
      const { userId } = caller;
      const { isValid } = request;
      const uploaded = await investors.upload({
        userId,
        sites,
        file,
        key: asked.client_order_id,
        at,
        isValid,
      });
      if (uploaded === "busy") return new Limited(busySeconds);
      if (typeof uploaded === "string") return refuse(whyNot[uploaded]);
      const counts = { accepted: uploaded.accepted, rejected: rejectedWire(uploaded.rejected) };
      if ("refused" in uploaded) return refuse("too few mailboxes", counts);
      const { batchId, domains, restricted } = uploaded;
      return { id_batch: String(batchId), ...counts, domains, restricted };
    }),

    answer(batches, async ({ asked, caller, refuse }) => {
      if (!caller.investor) return refuse("not an investor");
      const { limit = batchesSize, offset = 0 } = asked;
      const { rows, total } = await investors.batches(caller.userId, { limit, offset });
      const next = offset + rows.length;
      return {
        ...Object.fromEntries(rows.map((batch, number) => [String(number), batchWire(batch)])),
        total,
        next_offset: next < total && rows.length > 0 ? next : null,
      };
    }),

    answer(investorStats, async ({ caller, refuse }) => {
      // Who was one still sees what is owed.
      if (!caller.investor && !(await investors.hasBatches(caller.userId))) return refuse("not an investor");
      return statsWire(await investors.stats(caller.userId, now()));
    }),
  ];
}

const whyNot = {
  token: "token",
  "under review": "account under review",
  "key used": "key used",
  columns: "columns",
  "under way": "upload under way",
  "too slow": "upload too slow",
} as const;

const statsWire = ({ total, today, due, paidDay, held, heldForOperator, heldNext, ...terms }: Stats) => ({
  total_amount: total,
  today_amount: today,
  need_to_pay: due,
  last_payment_date: paidDay ?? null,
  held_amount: held,
  held_operator: heldForOperator,
  held_next: heldNext === null ? null : unixSeconds(heldNext),
  percent: terms.sharePpm / 1_000_000,
  accepted_domains: [...terms.domains],
  days: daysOnWire(terms.days),
});

const rejectedWire = (rejected: Brought["rejected"]) => ({
  malformed: rejected.malformed,
  unknown_domain: rejected.unknownDomain,
  duplicate_in_file: rejected.duplicateInFile,
  duplicate: rejected.duplicate,
});

/** In quarters, and a half while the refused ones wait for a second look: from the number of tries one could tell how many opened. */
function checkedPart({ state, sampled, sampleTried, secondLookAt }: Batch): number {
  if (state !== "stored" && state !== "sampling") return 1;
  if (secondLookAt !== null) return 0.5;
  return sampled === 0 ? 0 : Math.floor((sampleTried / sampled) * 4) / 4;
}

function batchWire(batch: Batch): z.output<typeof InvestorBatch> {
  return {
    id_batch: String(batch.batchId),
    created_at: unixSeconds(batch.createdAt),
    count: batch.taken,
    alive: Number(batch.alive),
    amount: showUsd(batch.amount as Usd),
    held: showUsd(batch.held as Usd),
    percent: batch.sharePpm / 1_000_000,
    domain_names: batch.domains,
    state: batch.state,
    reason: batch.reason,
    checked: checkedPart(batch),
    rejected: rejectedWire(batch),
    restricted: batch.restricted,
    same_box: batch.same,
  };
}
