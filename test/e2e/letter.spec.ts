import english from "../../i18n/app/en.json" with { type: "json" };
import { openCanned, openLetter, received } from "./letters.ts";
import { expect, expectAccessible, expectFits, test as base } from "./fixtures.ts";
import { openSpy, pixel, type Spy } from "./spy.ts";

const test = base.extend<{ spy: Spy }>({
  // Playwright requires destructuring.
  // oxlint-disable-next-line no-empty-pattern
  spy: async ({}, use) => {
    const spy = await openSpy();
    await use(spy);
    spy.close();
  },
});

const en = english;
const long = Array.from({ length: 60 }, (_, line) => `<p>Line ${line}</p>`).join("");

test("pictures that the sender keeps are loaded when the reader asks, and never those of one pixel", async ({
  page,
  context,
  request,
  spy,
}) => {
  // A public name, as no other is fetched from; answered here, so that nothing leaves the machine.
  const heard: Spy["heard"] = [];
  await context.route("https://img.example.com/**", async (route) => {
    const { pathname: path } = new URL(route.request().url());
    heard.push({ path, referer: (await route.request().allHeaders())["referer"] });
    await route.fulfill({ contentType: "image/png", body: pixel });
  });
  const dialog = await openLetter(
    page,
    await received(request, {
      html: `<p>Code 482913</p><img src="https://img.example.com/hero.png" width="90" height="30" alt="A hero">
        <img src="https://img.example.com/open.gif" width="1" height="1" alt="">
        <img src="${spy.url}/router" width="90" height="30" alt="A router">`,
    }),
  );
  const inside = dialog.frameLocator("iframe");
  await expect(inside.getByText("482913")).toBeVisible();
  await expect(dialog.getByText(/^1 image is on the sender’s server/)).toContainText("tells the sender");
  await expectAccessible(page);
  expect(heard).toEqual([]);

  await dialog.getByRole("button", { name: en["letter.images.show"] }).click();
  await expect(dialog.getByText(en["letter.images.on"])).toBeVisible();
  await expect.poll(() => heard).toEqual([{ path: "/hero.png", referer: undefined }]);
  await expect(inside.getByRole("img", { name: "A hero" })).toBeVisible();
  await expect(inside.getByText("482913")).toBeVisible();
  // The frame was loaded without a token in the address and without a history entry.
  expect(page.frames().map((frame) => frame.url())).toContainEqual(
    expect.stringMatching(/\/email\/getmessage$/),
  );

  await dialog.getByRole("button", { name: en["letter.images.hide"] }).click();
  await expect(inside.getByText("482913")).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["letter.images.show"] })).toBeFocused();
  expect(heard).toHaveLength(1);

  await test.step("as text, its headers, its source and a file of it", async () => {
    await dialog.getByRole("tab", { name: en["letter.view.html"] }).press("ArrowRight");
    await expect(dialog.getByRole("region", { name: en["letter.view.text"] })).toHaveText("Code 482913");
    await page.keyboard.press("ArrowRight");
    const headers = dialog.getByRole("region", { name: en["letter.view.headers"] });
    await expect(headers).toContainText("Subject: Your Instagram code");
    await expect(headers).not.toContainText("482913");
    await page.keyboard.press("ArrowRight");
    const source = dialog.getByRole("region", { name: en["letter.view.source"] });
    await expect(source).toContainText("Subject: Your Instagram code");
    await expect(source).toContainText("Code 482913");
    await expectAccessible(page);
    const saving = page.waitForEvent("download");
    await dialog.getByRole("button", { name: en["letter.save"] }).click();
    expect((await saving).suggestedFilename()).toMatch(/^letter-\d+\.eml$/);
    expect(heard).toHaveLength(1);
  });
  // What would ask the reader's own network.
  expect(spy.heard).toEqual([]);
});

test("a plain text keeps its lines and its signs; a link in it opens in a tab of its own that is told nothing of where it came from", async ({
  page,
  context,
  request,
  spy,
}) => {
  const dialog = await openLetter(
    page,
    await received(request, { text: `<b>1 & 2</b>\n\n  Open ${spy.url}/confirm?c=1 to go on.\n` }),
  );
  await expect(dialog.frameLocator("iframe").locator("pre")).toHaveText(
    `<b>1 & 2</b>\n\n  Open ${spy.url}/confirm?c=1 to go on.`,
    { useInnerText: true },
  );
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    dialog
      .frameLocator("iframe")
      .getByRole("link", { name: `${spy.url}/confirm?c=1` })
      .click(),
  ]);
  await tab.waitForLoadState();
  expect(tab.url()).toBe(`${spy.url}/confirm?c=1`);
  expect(spy.heard).toEqual([{ path: "/confirm?c=1", referer: undefined }]);
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ""]);
  await expect(dialog).toBeVisible();
});

test("the letter is scrolled with the keys, and the dialog is left with Escape", async ({
  page,
  request,
}) => {
  const buyer = await received(request, { html: long });
  const dialog = await openLetter(page, buyer);
  const frame = dialog.locator("iframe");
  await expect(frame).toHaveAttribute("title", en["letter.body"]);
  const line = (at: number) => dialog.frameLocator("iframe").getByText(`Line ${at}`, { exact: true });
  const first = line(0);
  // Before all of it is there the letter has nothing to scroll to, and the key would be lost.
  await expect(line(59)).toBeAttached();
  await expect(dialog.getByRole("button", { name: en["timeline.title"] })).toBeVisible();
  const before = await first.boundingBox();
  await frame.focus();
  // The frame is told of its focus later where it has a process of its own.
  await expect.poll(() => first.evaluate((line) => line.ownerDocument.hasFocus())).toBe(true);
  await page.keyboard.press("PageDown");
  await expect.poll(async () => (await first.boundingBox())?.y).toBeLessThan((before?.y ?? 0) - 50);
  // Tab leaves the frame for the dialog.
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: en["letter.save"] })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: en["timeline.title"] })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(frame).toBeFocused();
  await dialog.getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.locator("#activations li").getByRole("button", { name: "instagram.com" })).toBeFocused();
});

test("the frame has the room that the dialog has, and nothing reaches over the edge", async ({
  page,
  request,
}) => {
  const wide = `<table width="600" style="width:600px"><tr><td>${"word ".repeat(200)}</td></tr></table>`;
  const dialog = await openCanned(page, request, { message: wide });
  await expect(dialog.frameLocator("iframe").getByText(/^word/)).toBeVisible();
  const [whole, frame] = [await dialog.boundingBox(), await dialog.locator("iframe").boundingBox()];
  expect(frame?.width ?? 0).toBeGreaterThan((whole?.width ?? 0) * 0.75);
  expect(frame?.height ?? 0).toBeGreaterThan(250);
  await expectFits(page);
});

test("the files of a letter are listed with name, kind and size; of a letter that is no longer kept the rest is shown", async ({
  page,
  request,
}) => {
  const dialog = await openCanned(page, request, {
    message: "",
    attachments: [
      { name: "Terms of service.pdf", type: "application/pdf", size: 183_422 },
      { name: `photo\u202Egpj.exe`, type: "image/jpeg", size: 999 },
      { name: `${"very-".repeat(40)}long.zip`, type: "application/zip", size: 1_400_000 },
    ],
  });
  const files = dialog.getByRole("region", { name: en["letter.attachments"] }).getByRole("listitem");
  await expect(files).toHaveText([
    /^Terms of service\.pdf183 kB$/,
    /^photogpj\.exe999 bytes$/,
    /^very-.*….*long\.zip1\.4 MB$/,
  ]);
  await expect(dialog.getByText(en["letter.gone"])).toBeVisible();
  await expect(dialog.getByText("Your Instagram code")).toBeVisible();
  await expect(dialog.locator("iframe")).toHaveCount(0);
  await expectAccessible(page);
  await expectFits(page);
});

test("a buyer says that a letter is not from the site after being told what that does, by keyboard", async ({
  page,
  request,
}) => {
  const state = { not_from_site: "possible" };
  await page.route("**/email/getmessage", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...state } });
  });
  await page.route("**/email/notfromsite", (route) => {
    state.not_from_site = "refunded";
    return route.fulfill({ json: { status: "success", value: "refunded", balance: "1.0" } });
  });
  const dialog = await openLetter(page, await received(request, { html: "<p>Code 482913</p>" }));
  const start = dialog.getByRole("button", { name: /^Not from / });
  await start.press("Enter");
  await expect(dialog.getByText(/you get the full price back/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["complaint.do"] })).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: en["complaint.not"] }).click();
  await start.press("Enter");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText(en["complaint.refunded"])).toBeVisible();
  await expect(start).toHaveCount(0);
});

test("who says that a code is another one has it at once, with the keyboard where it was", async ({
  page,
  request,
}) => {
  const dialog = await openLetter(
    page,
    await received(request, {
      html: "<p>Your account 73920 was made.</p><p>Your codes: 482913 and 7302.</p>",
    }),
  );
  const other = dialog.getByRole("button", { name: en["letter.code.other"] });
  await other.press("Enter");
  const choices = dialog.getByRole("group", { name: en["letter.code.which"] });
  await expect(choices.getByRole("button", { name: "7302" })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: `${en["letter.copyCode"]} 7302` })).toBeVisible();
  await expect(other).toBeFocused();
});
