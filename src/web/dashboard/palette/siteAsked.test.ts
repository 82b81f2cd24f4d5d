import { expect, test } from "vitest";
import { siteAsked } from "./siteAsked.ts";

test("an order is asked for by its words and a site, or by a site alone", () => {
  expect(siteAsked("new order zoom.us", "New order")).toEqual({ site: "zoom.us", isCalled: true });
  expect(siteAsked("New order https://www.Zoom.us/join", "New order").site).toBe("zoom.us");
  expect(siteAsked("new order instagram", "New order").site).toBe("instagram");
  expect(siteAsked("zoom.us", "New order")).toEqual({ site: "zoom.us", isCalled: false });
  expect(siteAsked("новый заказ vk.com", "Новый заказ").site).toBe("vk.com");
});

test("an address, a number and a beginning of a word ask for no order", () => {
  for (const text of ["nora@letters.test", "46942463742", "zoom", "", "  "])
    expect(siteAsked(text, "New order"), text).toEqual({ site: "", isCalled: false });
  expect(siteAsked("new", "New order")).toEqual({ site: "", isCalled: true });
  expect(siteAsked("new order ", "New order")).toEqual({ site: "", isCalled: true });
});
