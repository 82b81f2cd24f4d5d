import { expect, test } from "vitest";
import { cleanSite, entryOf, sitesToChoose, suggestedSites, withoutEntry } from "./siteInput.ts";

test.each([
  ["instagram.com", "instagram.com"],
  ["  HTTPS://www.Instagram.com/accounts/emailsignup/?next=%2F ", "instagram.com"],
  ["http://x.com#top", "x.com"],
  ["www.zoom.us?a=1", "zoom.us"],
  ["discord", "discord"],
  ["reddit.com and more", "reddit.com"],
  ["", ""],
])("a site written as %j means %j", (text, site) => {
  expect(cleanSite(text)).toBe(site);
});

test("the choice of the home page comes in by the address, any as instagram", () => {
  expect(entryOf("?from=https://www.Discord.com/login&to=Letters.TEST")).toEqual({
    site: "discord.com",
    type: "Letters.TEST",
  });
  expect(entryOf("from=any&to=letters")).toEqual({ site: "instagram", type: "letters" });
  expect(entryOf("?to=letters")).toEqual({ site: "", type: "letters" });
  expect(entryOf("?page=2")).toBeUndefined();
});

test("what was read leaves the address, the rest stays", () => {
  expect(withoutEntry("?from=any&to=letters")).toBe("");
  expect(withoutEntry("?from=any&ref=anna&to=letters")).toBe("?ref=anna");
});

test("the last site does not stand beside the same suggested one", () => {
  for (const last of ["instagram.com", "instagram"]) {
    const { last: first, others } = sitesToChoose(last);
    expect(first).toBe("instagram.com");
    expect(others).toEqual(suggestedSites.filter((site) => site !== "instagram.com"));
  }
  expect(sitesToChoose("zoom").last).toBe("zoom.us");
  expect(sitesToChoose("quill.test")).toEqual({ last: "quill.test", others: suggestedSites });
  expect(sitesToChoose("")).toEqual({ last: "", others: suggestedSites });
});
