import { expect, test } from "vitest";
import { languageCodes } from "../../../i18n/languages.ts";
import { translator } from "../../../i18n/t.ts";
import { docsCatalogue, publicCatalogue } from "../../catalogues.ts";
import { search, searchIndex } from "./search.ts";

async function indexOf(language: (typeof languageCodes)[number]) {
  const { texts, guides } = await docsCatalogue(language);
  return searchIndex(translator(language, { ...texts, ...(await publicCatalogue(language)) }), guides);
}

test.each([
  ["order", "call", "order"],
  ["ORDER an addr", "call", "order"],
  ["/email/getmessage", "call", "getmessage"],
  ["no emails", "error", "error-no-emails"],
  ["regex", "error", "error-regex"],
  ["idempotency", "error", "error-client_order_id"],
  ["webhook signature", "guide", "guide-webhooks"],
  ["sandbox", "guide", "guide-sandbox"],
])("“%s” finds the %s %s first", async (text, kind, id) => {
  expect(search(await indexOf("en"), text)[0]).toMatchObject({ kind, id });
});

test("a parameter is found for each call that takes it, and nothing for what is not there", async () => {
  const index = await indexOf("en");
  const hits = search(index, "client_order_id").filter(({ kind }) => kind === "parameter");
  expect(hits.map(({ id }) => id)).toEqual(["order", "reorder", "email-backorders-add", "investor-upload"]);
  expect(search(index, "zebra")).toEqual([]);
  expect(search(index, "  ")).toEqual([]);
});

test.each(languageCodes)("in %s a call is found by its name in that language", async (language) => {
  const index = await indexOf(language);
  const name = index.find(({ id }) => id === "order")?.title ?? "";
  expect(search(index, name)[0]).toMatchObject({ kind: "call", id: "order" });
});
