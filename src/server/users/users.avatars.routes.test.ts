import { afterAll, beforeAll, expect, test } from "vitest";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.stop());

test("each of the six pictures can be chosen, by an address or by a form", async () => {
  const token = await shop.member();
  const { data } = await shop.get("/user/information", { token });
  const { id: userId } = data as { id: string };
  for (const way of ["get", "post"] as const) {
    for (const avatar of [5, 4, 3, 2, 1, 0]) {
      expect(await shop[way]("/api/avatar/", { token, userId, avatar: String(avatar) })).toEqual({
        status: "success",
        avatar,
      });
      expect(await shop.get(`/api/avatar/${userId}`, { token })).toMatchObject({ avatar });
    }
  }
});

test("anybody reads the avatar of an account; an id that nobody has looks like a new account", async () => {
  const token = await shop.member();
  const { data } = await shop.get("/user/information", { token });
  const { id } = data as { id: string };
  await shop.get("/api/avatar/", { token, userId: id, avatar: "3" });
  expect(await shop.get(`/api/avatar/${id}`)).toEqual({ status: "success", avatar: 3 });
  const other = await shop.member();
  expect(await shop.get(`/api/avatar/${id}`, { token: other })).toEqual({ status: "success", avatar: 3 });
  expect(await shop.get("/api/avatar/999999")).toEqual({ status: "success", avatar: 1 });
  expect(await shop.get("/api/avatar/nobody")).toMatchObject({ status: "error", value: "no user" });
});

test("an avatar is chosen with the token of its account, and with no other", async () => {
  const [token, other] = [await shop.member(), await shop.member()];
  const { data } = await shop.get("/user/information", { token });
  const { id: userId } = data as { id: string };
  expect(await shop.get("/api/avatar/", { token, userId, avatar: "4" })).toEqual({
    status: "success",
    avatar: 4,
  });
  expect(await shop.get(`/api/avatar/${userId}`, { token })).toEqual({ status: "success", avatar: 4 });
  expect((await shop.get("/user/information", { token }))["data"]).toMatchObject({ avatar: 4 });
  const refused = [
    await shop.get("/api/avatar/", { token: other, userId, avatar: "1" }),
    await shop.get("/api/avatar/", { token: other, userId: "nobody", avatar: "1" }),
  ];
  for (const answer of refused) expect(answer).toMatchObject({ status: "error", value: "token" });
  for (const [asked, value] of [
    [{ userId, avatar: "1" }, "token"],
    [{ token, avatar: "1" }, "token"],
    [{ token, userId }, "avatar"],
  ] as const)
    expect(await shop.get("/api/avatar/", asked)).toMatchObject({ status: "error", value });
  for (const avatar of ["6", "-1", "1.5", "fox", ""]) {
    expect(await shop.post("/api/avatar/", { token, userId, avatar })).toMatchObject({ value: "avatar" });
  }
  expect(await shop.get(`/api/avatar/${userId}`, { token })).toMatchObject({ avatar: 4 });
});
