import { expect, test } from "vitest";
import { endpoints } from "./api.ts";
import { type Endpoint, officeRoles } from "./endpoint.ts";
import { type Act, wordsOf } from "./office/act.ts";
import { acts } from "./office/acts.ts";

const all: readonly Act[] = Object.values(acts);
const lines = all.flatMap((act) => Object.entries(act.commands).map(([line, said]) => ({ act, line, said })));
const holesOf = (text: string) => [...text.matchAll(/[{<](\w+)/g)].map(([, name = ""]) => name);

test("each act names whose work it is, and whether the person must have proved who it is", () => {
  for (const { name, role, proof } of all) {
    expect(officeRoles, name).toContain(role);
    expect([true, false], name).toContain(proof);
  }
  // Money, roles, accounts and prices: nobody does these with a found token alone.
  const proved = all.filter(({ proof }) => proof).map(({ name }) => name);
  expect(proved).toEqual(
    expect.arrayContaining([
      "payPartner",
      "adjustBalance",
      "confirmPayment",
      "grantRole",
      "blockUser",
      "changeDomain",
    ]),
  );
});

test("whatever the back office changes by a form is an act; its own pages have the rest", () => {
  const isAct = new Set<string>(all.map(({ name }) => name));
  const others = Object.values(endpoints).filter(
    ({ access, method, name }: Endpoint) => access === "admin" && method !== "GET" && !isAct.has(name),
  );
  const pages = /^\/api\/admin\/(?:stories|newsmain|setup|summary)\//;
  expect(others.filter(({ path }) => !pages.test(path)).map(({ name }) => name)).toEqual([]);
});

test("each act that needs a reason asks for it, and no other does", () => {
  for (const { name, reason, ask } of all)
    expect("reason" in ask || "note" in ask, name).toBe(reason !== "never");
});

test("each act has words of its own, and what undoes it is an act too", () => {
  const words = lines.map(({ line }) => wordsOf(line));
  expect(words.filter((one, at) => words.indexOf(one) !== at)).toEqual([]);
  const undone = lines.flatMap(({ said: { undo } }) => (undo === false ? [] : [undo]));
  expect(undone.length).toBeGreaterThan(0);
  expect(undone.filter((one) => !words.includes(one))).toEqual([]);
});

test.each(lines)(
  "$line says parameters that the act has, with values that it takes",
  ({ act, line, said }) => {
    expect(holesOf(line).filter((name) => !Object.hasOwn(act.ask, name))).toEqual([]);
    const given = Object.entries({ ...said.sets, ...said.usually });
    const wrong = given.filter(([name, value]) => !act.ask[name]?.schema.safeParse(value).success);
    expect(wrong).toEqual([]);
    expect(holesOf(line).filter((name) => said.sets?.[name] !== undefined)).toEqual([]);
  },
);

/** What an act tells the command beside the answer of its call. */
const told = ["before", "domain", "freed", "referrals", "soft"];

test.each(lines)(
  "the sentence of $line names what the act is asked or answers",
  ({ act, said: { done } }) => {
    const known = [
      ...Object.keys(act.ask),
      ...Object.keys((act.reply as { shape?: object }).shape ?? {}),
      ...told,
    ];
    const sentences = typeof done === "string" ? [done] : Object.values(done);
    expect(sentences.flatMap(holesOf).filter((name) => !known.includes(name))).toEqual([]);
  },
);
