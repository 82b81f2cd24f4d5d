// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookAtShop } from "../../../test/kit/everything.ts";
import { outliveProofs, tokenOfPrograms } from "../../../test/kit/proofs.ts";
import { right } from "../../../test/kit/right.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { endpoints } from "../../contract/api.ts";
import { type Endpoint, officeRoles } from "../../contract/endpoint.ts";

// Every call of the back office, and every one of an account that asks for its person, derived from the contract.

const all = Object.values(endpoints) as Endpoint[];
const ofOffice = all.filter(({ access }) => access === "admin");
const ofPersons = all.filter(({ session }) => session !== undefined);
/** What the specification gives to the token of an administrator. */
const ofTokens = ofOffice.filter(({ session }) => session === undefined);

let shop: TestShop;
let everything: () => Promise<string[]>;
/** Sessions, and the tokens that programs have, of people with each role. */
const people: Record<string, { session: string; token: string; id: string }> = {};

const post = (path: string, asked: Record<string, string>) => shop.post(path, asked);
const idOf = async (token: string) =>
  (await shop.get<{ data: { id: string } }>("/user/information", { token })).data.id;

beforeAll(async () => {
  shop = await startShop();
  const session = await shop.member("admin@example.com");
  people["owner"] = { session, token: await tokenOfPrograms(shop, session), id: await idOf(session) };
  for (const role of ["money", "support", "editor"]) {
    const own = await shop.member();
    const id = await idOf(own);
    await post("/api/admin/users/grant", { token: session, user: id, role, granted: "1" });
    people[role] = { session: own, token: await tokenOfPrograms(shop, own), id };
  }
  await outliveProofs(shop, session);
  everything = await lookAtShop(shop.db);
});
afterAll(() => shop.stop());

const person = (role: string) => {
  const found = people[role];
  if (!found) throw new Error(`nobody is ${role}`);
  return found;
};

/** With a right value of each parameter, or with none. */
async function ask({ path, method, file, ask: fields }: Endpoint, token: string, isRight: boolean) {
  const given = Object.keys(fields).map((name): [string, string] => [name, right[name] ?? "1"]);
  const form = new URLSearchParams(isRight ? given : []);
  const where = shop.url + path.replace(/\{(\w+)\}/g, (_hole, name: string) => right[name] ?? "1");
  const type = file?.types[0];
  const response = await fetch(method === "GET" ? `${where}?${form}` : where, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { "content-type": type }) },
    ...(method !== "GET" && { body: type === undefined ? form : "0123" }),
  });
  const isText = response.headers.get("content-type")?.startsWith("text/") === true;
  return isText ? ({ status: "success" } as Answer) : ((await response.json()) as Answer);
}

test("no call of the back office is without a rule, and those of tokens are the specified ones", () => {
  expect(ofOffice.length).toBeGreaterThan(40);
  expect(ofPersons.length).toBeGreaterThan(40);
  const written = /^\/api\/admin\/(?:stories|newsmain)\//;
  for (const { path, role } of ofTokens)
    expect([path, role]).toEqual([path, path === "/api/admin/check" ? "any" : "editor"]);
  expect(ofTokens.filter(({ path }) => !written.test(path)).map(({ path }) => path)).toEqual([
    "/api/admin/check",
  ]);
  // Whatever changes something in the rest of the office, or of who may enter an account, asks for a proof or says why not.
  const unproved = all.filter(
    ({ access, session, method }) => access === "admin" && session === "begun" && method !== "GET",
  );
  expect(unproved.map(({ name }) => name).toSorted()).toEqual([
    "addSenders",
    "addStock",
    "answerQuestion",
    "blockSite",
    "checkDns",
    "checkWalletKey",
    "clearBatches",
    "decideBatch",
    "giveUpTasks",
    "removeSenders",
    "retryTasks",
    "sendTestLetter",
    "setDailySummary",
  ]);
});

describe("a token of an administrator, which programs have, does and sees nothing of a person", () => {
  test.each(ofPersons.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s",
    async (_name, endpoint) => {
      const before = await everything();
      expect(await ask(endpoint, person("owner").token, true)).toMatchObject({
        status: "error",
        value: "session",
        next: "/user/authorize",
      });
      expect(await everything()).toEqual(before);
    },
  );
});

describe("a session without a fresh proof is asked for one, where it is needed, and does nothing", () => {
  const proved = ofPersons.filter(({ session }) => session !== "begun");
  test.each(proved.map((endpoint) => [endpoint.name, endpoint] as const))("%s", async (_name, endpoint) => {
    const before = await everything();
    expect(await ask(endpoint, person("owner").session, true)).toMatchObject({
      status: "error",
      value: "proof",
      next: "/user/prove",
    });
    expect(await everything()).toEqual(before);
  });
});

test("the token of an administrator writes stories and announcements, as specified", async () => {
  const { token } = person("owner");
  expect(await shop.get("/api/admin/check", { token })).toMatchObject({ status: "success" });
  for (const endpoint of ofTokens) {
    const { value } = await ask(endpoint, token, false);
    expect([endpoint.path, value]).not.toEqual([endpoint.path, "session"]);
    expect([endpoint.path, value]).not.toEqual([endpoint.path, "no access"]);
  }
});

/** Beside what all may do. Money and support read the tables; editors write. */
const own: Record<string, readonly string[]> = {
  money: [
    "addDomain",
    "adjustBalance",
    "changeDomain",
    "changePrices",
    "undoPrices",
    "confirmPayment",
    "decideAdjustment",
    "decideComplaint",
    "decideHeld",
    "decidePayment",
    "decideShares",
    "payPartner",
    "payWithdrawal",
    "refuseWithdrawal",
    "releaseRate",
    "setShare",
  ],
  support: [
    "answerQuestion",
    "cancelOrder",
    "clearBatches",
    "giveUpTasks",
    "resetAccess",
    "resetFactors",
    "retryTasks",
  ],
  editor: ofTokens.map(({ name }) => name).filter((name) => name !== "adminCheck"),
  owner: [],
};

describe("each role has its calls of the back office, and no other", () => {
  const reads = ofOffice.filter(({ role }) => role === undefined).map(({ name }) => name);
  const onlyOwners = ofOffice.filter(({ role }) => role === "owner").map(({ name }) => name);
  test("the roles share out every call", () => {
    const shared = [...reads, ...onlyOwners, "adminCheck", ...Object.values(own).flat()];
    expect(shared.toSorted()).toEqual(ofOffice.map(({ name }) => name).toSorted());
  });
  test.each(officeRoles)("%s", async (role) => {
    const mine = new Set([
      ...(own[role] ?? []),
      "adminCheck",
      ...(role === "editor" ? [] : reads),
      ...(role === "owner" ? [...onlyOwners, ...Object.values(own).flat()] : []),
    ]);
    const refused: string[] = [];
    for (const endpoint of ofOffice)
      if ((await ask(endpoint, person(role).session, false)).value === "no access")
        refused.push(endpoint.name);
    const others = ofOffice.map(({ name }) => name).filter((name) => !mine.has(name));
    expect(refused.toSorted()).toEqual(others.toSorted());
  });
});

test("the pages are told the role, and that whoever has one is an administrator", async () => {
  for (const role of officeRoles) {
    const { data } = await shop.get<{ data: object }>("/user/information", { token: person(role).session });
    expect(data).toMatchObject({ is_admin: true, office_role: role });
  }
  const { data } = await shop.get<{ data: object }>("/user/information", { token: await shop.member() });
  expect(data).not.toHaveProperty("office_role");
});
