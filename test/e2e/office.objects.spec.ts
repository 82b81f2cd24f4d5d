import { enter, newBuyer, sendLetter, theOperator } from "./buyer.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";
import { openSection } from "./officePages.ts";
import { named, texts } from "./storiesPage.ts";

const t = texts.en;

test("why a buyer got no letter is two presses from the address, with all that belongs to the order", async ({
  page,
  request,
}) => {
  const { email: account, token } = await newBuyer(request, "1");
  const headers = { authorization: `Bearer ${token}` };
  const asked = await request.get("/email/order?site=instagram.com&domain=letters.test", { headers });
  const { id, email } = (await asked.json()) as { id: string; email: string };
  const from = "news@elsewhere.example";
  await sendLetter({ from, to: email, subject: "Your code: 482913", text: "482913" });

  await enter(page, await theOperator(request));
  await openSection(page, "find", `?q=${encodeURIComponent(email)}`);
  const part = (name: string) => page.getByRole("region", { name, exact: true });
  await part(t["office.section.orders"])
    .getByRole("link", { name: `#${id}`, exact: true })
    .click();
  await expect(
    page.getByRole("heading", { level: 1, name: named(t["office.object.order"], id) }),
  ).toBeVisible();
  const happened = part(t["timeline.title"]);
  const missed = happened.getByRole("listitem").filter({ hasText: t["timeline.letterMissed"] });
  await expect(missed).toContainText(t["office.missed.sender"]);
  await expect(missed).toContainText(from);
  await expect(missed).toContainText("Your code: ######");
  await expect(part(t["office.part.money"]).getByRole("row").filter({ hasText: "hold" })).toBeVisible();
  await expectAccessible(page);

  await missed.getByRole("link").click();
  await expect(page.getByText(t["office.letter.is.turned"])).toBeVisible();
  await part(t["office.part.recipients"]).getByRole("link", { name: email }).click();
  await expect(page).toHaveURL(/\/admin\/orders\?search=/);
  await page.getByRole("row").filter({ hasText: email }).getByText("instagram.com").click();
  await expect(happened).toBeVisible();

  await part(t["office.acts"]).getByRole("button", { name: t["office.order.cancel"] }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(t["office.reason"]).fill("asked by mail");
  await dialog.getByRole("button", { name: t["office.order.cancel"] }).click();
  await expect(dialog).toHaveCount(0);
  await expect(happened).toContainText(t["timeline.canceled.shop"]);
  await expect(part(t["office.section.journal"])).toContainText("orders cancel");
  const order = named(t["office.object.order"], id);
  await part(order).getByRole("link", { name: /^#/ }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: account })).toBeVisible();
});
