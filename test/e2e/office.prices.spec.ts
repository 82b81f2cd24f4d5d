import { texts } from "./storiesPage.ts";
import { enter, theOperator } from "./buyer.ts";
import { act, confirm, openSection, rowsOf, say } from "./officePages.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

const t = texts.en;

test("prices of several rows are changed at once after their effect is shown, and the change is undone", async ({
  page,
  request,
}) => {
  const begins = `sale-${process.pid}-${Date.now().toString(36)}`;
  const names = [`${begins}-1.test`, `${begins}-2.test`];
  for (const name of names) await act(request, "domains/add", { name, price: "0.01", kind: "own" });
  await enter(page, await theOperator(request));
  await openSection(page, "prices", `?search=${begins}`);
  for (const name of names)
    await page.getByRole("checkbox", { name: say(t["select.one"], { email: name }) }).check();
  await page.getByRole("button", { name: t["office.prices.several"] }).click();
  const dialog = page.getByRole("dialog", { name: t["office.prices.several"] });
  await dialog.getByLabel(t["office.prices.how"], { exact: true }).selectOption("percent");
  await dialog.getByLabel(t["office.prices.amount"], { exact: true }).fill("−10");
  for (const name of names)
    await expect(dialog.getByRole("listitem").filter({ hasText: name })).toContainText("$0.009");
  await expect(
    dialog.getByText(say(t["office.prices.preview.says"], { count: "0" }).split(".")[0] ?? ""),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel(t["office.reason"], { exact: true }).fill("a sale");
  await confirm(page, t["office.prices.several"], say(t["office.prices.done"], { count: "2" }));
  const pricesOf = async () =>
    (await Promise.all(names.map((name) => rowsOf(request, "prices", name)))).map(([row]) => row?.["price"]);
  expect(await pricesOf()).toEqual(["0.009", "0.009"]);
  const number = String((await rowsOf(request, "price_changes", begins))[0]?.["number"]);
  await openSection(page, "pricechanges", `?search=${begins}`);
  await page
    .getByRole("button", { name: say(t["office.act.of"], { act: t["office.prices.undo"], name: number }) })
    .first()
    .click();
  await page.getByRole("dialog").getByLabel(t["office.reason"], { exact: true }).fill("over");
  await confirm(page, t["office.prices.undo"], say(t["office.prices.undo.done"], { number }));
  expect(await pricesOf()).toEqual(["0.01", "0.01"]);
});
