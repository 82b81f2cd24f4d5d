import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { endpoints } from "../../contract/api.ts";
import { list as journal } from "../journal/journal.ts";
import { block, grant } from "../users/users.ts";
import { soon } from "../../../test/kit/soon.ts";

let shop: TestShop;
let id: string;
let picture: Uint8Array;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  shop = await startShop();
  const admin = await shop.member("admin@example.com");
  const [ordinary, blocked] = [await shop.member(), await shop.member()];
  const { data } = await shop.get("/user/information", { token: blocked });
  const userId = BigInt((data as { id: string }).id);
  await grant(shop.db, userId, "admin");
  await block(shop.db, userId, true);
  const isBlocked = async () => (await shop.get("/api/admin/check", { token: blocked })).value === "token";
  // The process that caches the user is notified a moment later.
  await vi.waitUntil(isBlocked, soon);
  const made = await shop.post("/user/tokens/add", { token: admin, name: "program" });
  Object.assign(tokens, {
    admin,
    ordinary,
    blocked,
    limited: made["token"],
    unknown: "A".repeat(32),
    none: "",
  });
  id = String((await ask("create", "admin", mine))["storyId"]);
  await ask("create", "admin", mine);
  const background = "teal";
  picture = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
});
afterAll(() => shop.stop());

const slides = [{ title: "Slide 1", text: "", bg_color: "white" }];
const mine = { lang: "en", title: "Mine", slides };

async function ask(path: string, who: string, body?: object | Uint8Array): Promise<Answer> {
  const isFile = body instanceof Uint8Array;
  const response = await fetch(`${shop.url}/api/admin/stories/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      authorization: `Bearer ${tokens[who]}`,
      "content-type": isFile ? "image/png" : "application/json",
    },
    ...(body && { body: isFile ? (body as BodyInit) : JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

const calls: Record<string, (who: string) => Promise<Answer>> = {
  readStory: (who) => ask(id, who),
  addStory: (who) => ask("create", who, mine),
  "addStory in a language": (who) => ask("create", who, { storyId: id, ...mine, lang: "ru" }),
  changeStory: (who) => ask(`update/${id}`, who, mine),
  moveStory: (who) => ask("reorder", who, { storyId: id, direction: "up" }),
  markStory: (who) => ask(`update-critical/${id}`, who, { is_critical: 1 }),
  addImage: (who) => ask("image", who, picture),
  removeStory: (who) => ask("delete", who, { storyId: id }),
};

const everything = async () => [
  await shop.get("/api/stories/list"),
  await ask(id, "admin"),
  await shop.db`select name from picture order by name`,
  await journal(shop.db),
];

const intruders: [who: string, token: string, value: string][] = [
  ["nobody", "none", "token"],
  ["a token that opens nothing", "unknown", "token"],
  ["an ordinary account", "ordinary", "no access"],
  ["a blocked administrator", "blocked", "token"],
  ["a limited token of an administrator", "limited", "token limit"],
];

describe.each(intruders)("%s writes no story", (_who, token, value) => {
  test.each(Object.entries(calls))("%s", async (_call, call) => {
    const before = await everything();
    expect(await call(token)).toMatchObject({ status: "error", value, error: value });
    expect(await everything()).toEqual(before);
  });
});

test("no call by which stories are written was left out, and each one does it for an administrator", async () => {
  const declared = Object.values(endpoints).filter(({ path }) => path.startsWith("/api/admin/stories/"));
  expect(Object.keys(calls)).toEqual(expect.arrayContaining(declared.map(({ name }) => name)));
  for (const call of Object.values(calls)) expect(await call("admin")).toMatchObject({ status: "success" });
});
