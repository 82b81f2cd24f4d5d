import { expect, test } from "vitest";
import { endpoints, parameterName } from "../../contract/api.ts";
import type { Endpoint, Field } from "../../contract/endpoint.ts";
import { commonRefusals, refusals } from "../../contract/refusals.ts";
import { languageCodes } from "../../i18n/languages.ts";
import { translator } from "../../i18n/t.ts";
import { docsCatalogue } from "../catalogues.ts";
import { type DocumentedName, examples } from "../../contract/examples.ts";
import type { DocumentedRefusal } from "./calls.ts";
import { againText, callName, callText, formText, refusalMeaning, meaningText } from "./texts.ts";

const { texts: english } = await docsCatalogue("en");
const names = Object.keys(examples) as DocumentedName[];
const documented: [DocumentedName, Endpoint][] = names.map((name) => [name, endpoints[name]]);
const values = [...new Set([...documented.flatMap(([, endpoint]) => endpoint.refusals), ...commonRefusals])];
const parameterText = (field: Field) => `docs.parameter.${parameterName(field)}` as const;
const fields: Field[] = [...new Set(documented.flatMap(([, endpoint]) => Object.values(endpoint.ask)))];

test("every call but the operator's and the pages' own is documented", () => {
  const rest = Object.values(endpoints).filter(
    ({ name, access }) => !(name in examples) && access !== "admin",
  );
  expect(rest.map(({ name }) => name)).toEqual([
    "disown",
    "setPassword",
    "changeEmail",
    "confirmEmail",
    "ownData",
    "closing",
    "closeAccount",
    "withdrawals",
    "askWithdrawal",
    "cancelWithdrawal",
    "sessions",
    "endSession",
    "endOtherSessions",
    "factors",
    "beginPasskey",
    "addPasskey",
    "beginApp",
    "addApp",
    "removeFactor",
    "newRecoveryCodes",
    "askPasskey",
    "securityEvents",
    "playPayment",
    "captchaChallenge",
    "newsList",
    "storyList",
    "viewedStories",
    "viewStory",
    "testPost",
  ]);
});

test("the page says in English of each refusal what the contract says", () => {
  const t = translator("en", english);
  for (const value of values) expect(meaningText(t, value as DocumentedRefusal)).toBe(refusals[value]);
});

test.each(languageCodes)(
  "the page says all that in its own words in %s",
  { tags: ["slow"] },
  async (language) => {
    const t = translator(language, (await docsCatalogue(language)).texts);
    const said = [
      ...names.map(callText),
      ...names.map(callName),
      ...fields.map(parameterText),
      ...values.map((value) => refusalMeaning(value as DocumentedRefusal)),
      ...values.map((value) => againText(value as DocumentedRefusal)),
    ];
    for (const key of said) {
      expect(t(key), key).not.toBe("");
      if (language !== "en") expect(t(key), key).not.toBe(english[key]);
    }
    for (const { form, summary } of fields) expect(formText(t, form), summary).not.toMatch(/[{}]|undefined/);
  },
);

test("no name is kept of a call that is gone", () => {
  const kept = Object.keys(english).filter((key) => key.startsWith("docs.name."));
  expect(kept.toSorted()).toEqual(names.map(callName).toSorted());
});
