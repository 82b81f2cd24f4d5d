import type { Page } from "@playwright/test";
import { enter, newBuyer } from "./buyer.ts";
import { expect, test } from "./quiet.ts";
import { texts } from "./visitor.ts";

/** The levels of the headings of a page, from above. */
const levels = (page: Page) =>
  page.getByRole("heading").evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));

test("no page of a buyer leaves a level of headings out", async ({ page, request }) => {
  await enter(page, await newBuyer(request));
  for (const path of ["", "/dashboard", "/dashboard/api", "/dashboard/statement", "/docs"]) {
    await page.goto(`/en${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    const found = await levels(page);
    const skipped = found.filter((level, at) => level > (found[at - 1] ?? 0) + 1);
    expect(skipped, `${path}: ${found.join(" ")}`).toEqual([]);
  }
  await page.goto("/en/dashboard");
  const title = texts.en["activations.title"];
  await expect(page.getByRole("heading", { level: 2, name: title })).toBeAttached();
});
