import { enter, newBuyer, sendLetter, theOperator } from "./buyer.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";
import { confirm, openSection, say } from "./officePages.ts";
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
  await expect(
    part(t["office.part.money"]).getByRole("row").filter({ hasText: t["statement.kind.hold"] }),
  ).toBeVisible();
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
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = () =>
    part(order).evaluate((facts) =>
      [...facts.querySelectorAll("dd")].flatMap((fact) =>
        fact.scrollWidth > fact.clientWidth ? [fact.textContent] : [],
      ),
    );
  await expect.poll(cut).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await part(order).getByRole("link", { name: /^#/ }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: account })).toBeVisible();
});

test("one palette finds a page, a number, an account, and opens an act on it filled in, by keyboard alone; a row opens its page and has a menu", async ({
  page,
  request,
}) => {
  const { email } = await newBuyer(request, "1");
  await enter(page, await theOperator(request));
  await openSection(page, "");
  await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
  const palette = page.getByRole("dialog", { name: t["office.palette"] });
  const field = palette.getByRole("combobox");
  const option = (name: string) => palette.getByRole("option").filter({ hasText: name });
  const chosen = palette.getByRole("option", { selected: true });

  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await page.keyboard.type("stock");
  await expect(chosen).toContainText(t["office.section.domains"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: t["office.section.domains"] })).toBeVisible();
  await expect(palette).toHaveCount(0);

  await page.getByRole("button", { name: t["office.palette"] }).click();
  await field.fill("#40000000061");
  await expect(chosen).toContainText(named(t["office.object.order"], "40000000061"));
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await field.fill(email);
  await expect(option(email)).toHaveCount(1);
  await expectAccessible(page);
  await field.fill(`credit ${email}`);
  const act = `${t["office.user.adjust"]}: ${email}`;
  await expect(chosen).toContainText(act);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: t["office.user.adjust"] });
  await expect(dialog).toContainText(email);
  await dialog.getByLabel(t["office.user.change"]).fill("0.5");
  await dialog.getByLabel(t["office.reason"]).fill("asked by mail");
  await confirm(
    page,
    t["office.user.adjust"],
    say(t["office.user.adjusted"], { name: email, balance: "$1.50" }),
  );

  // The menu of a row, by keys alone; the row itself opens the account.
  await openSection(page, "users", `?search=${encodeURIComponent(email)}`);
  const row = page.getByRole("row").filter({ hasText: email });
  const more = row.getByRole("button");
  await more.press("Enter");
  const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  // A page goes on scrolling for a moment after a press.
  await page.evaluate(() => document.dispatchEvent(new Event("scroll")));
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem").last()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await more.press("Enter");
  await item(t["office.user.block"]).press("Enter");
  await expect(page.getByRole("dialog", { name: t["office.user.block"] })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await row.getByText(email).click();
  await expect(page.getByRole("heading", { level: 1, name: email })).toBeVisible();
});

test("a question about an order waits in the office, is answered there, and its asker reads the answer on the page of the order", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request);
  const headers = { authorization: `Bearer ${buyer.token}` };
  const ordered = await request.get("/email/order?site=instagram.com&domain=letters.test", { headers });
  const { id } = (await ordered.json()) as { id: string };
  await enter(page, buyer);
  await page.goto(`/en/dashboard/order?id=${id}`);
  await page.getByRole("button", { name: t["question.ask"] }).click();
  await page.getByRole("button", { name: t["question.send"] }).click();
  await expect(page.getByText(t["question.empty"])).toBeVisible();
  await page.getByRole("combobox", { name: t["question.topic"] }).selectOption("other");
  await page.getByRole("textbox", { name: t["question.text"] }).fill("Is the <b>letter</b> on its way?");
  await expectAccessible(page);
  await page.getByRole("button", { name: t["question.send"] }).click();
  const asked = page.getByRole("list", { name: t["question.list"] }).getByRole("listitem");
  await expect(asked).toContainText("Is the <b>letter</b> on its way?");
  await expect(asked).toContainText(t["question.waits"]);

  await enter(page, await theOperator(request));
  await openSection(page, "questions");
  const row = page.getByRole("row").filter({ hasText: id });
  await expect(row).toContainText("on its way?");
  await row.getByRole("button", { name: t["office.question.answer"] }).click();
  await page.getByRole("dialog").getByLabel(t["office.column.answer"]).fill("It comes within a minute.");
  await confirm(page, t["office.question.answer"], say(t["office.question.done"], { name: buyer.email }));
  await expect(row).toContainText("It comes within a minute.");

  await enter(page, buyer);
  await page.goto(`/en/dashboard/order?id=${id}`);
  await expect(asked).toContainText(t["question.answer"]);
  await expect(asked).toContainText("It comes within a minute.");
});

test("what is done to a whole queue is done to none until one is chosen", async ({ page, request }) => {
  await enter(page, await theOperator(request));
  await openSection(page, "tasks");
  const asked: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/admin/queues/")) asked.push(sent.url());
  });
  await page.getByRole("button", { name: t["office.tasks.giveUpMany"] }).click();
  const dialog = page.getByRole("dialog");
  const queue = dialog.getByRole("combobox", { name: t["office.column.queue"] });
  await expect(queue).toHaveValue("");
  await dialog.getByRole("button", { name: t["office.tasks.giveUpMany"] }).click();
  await expect(queue).toBeFocused();
  await expect(queue).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
  expect(asked).toEqual([]);
});
