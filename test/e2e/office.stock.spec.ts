import { certificateFor } from "../../src/server/platform/certificate.ts";
import { type Dovecot, noDovecot, startDovecot } from "../kit/dovecot.ts";
import { codeLetter } from "../kit/hosted.ts";
import { texts } from "./storiesPage.ts";
import { enter, newBuyer, sendLetter, theOperator } from "./buyer.ts";
import { newInvestor } from "./investors.ts";
import {
  act,
  asOperator,
  confirm,
  expectLogged,
  expectRefused,
  openAct,
  openSection,
  rowsOf,
  say,
} from "./officePages.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

// Servers, batches, sites and unclaimed letters.

const t = texts.en;
let made = 0;
const unique = () => `${process.pid}-${Date.now().toString(36)}-${made++}`;

const opensAlone = (action: string, row: string) => say(t["office.act.of"], { act: action, name: row });

test(
  "a mail server is registered with its own certificates and changed, all in the audit log",
  { tag: "@full" },
  async ({ page, request }) => {
    const domain = `hosted-${unique()}.test`;
    await act(request, "domains/add", { name: domain, price: "0.01", kind: "hosted" });
    const imap = `${unique()}.example:993`;
    const { cert } = certificateFor(imap);
    await enter(page, await theOperator(request));
    await openSection(page, "hosts");
    const add = t["office.host.add"];
    await page.getByRole("button", { name: add }).click();
    const dialog = page.getByRole("dialog", { name: add });
    const fill = (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text);
    await fill(t["office.domain.name"], "letters.test");
    await fill(t["office.column.imap"], imap);
    await expectRefused(page, add, t["office.refusal.notHosted"]);
    await fill(t["office.domain.name"], domain);
    await fill(t["office.column.imap"], "imap.example.com:143");
    await dialog.getByLabel(t["office.column.tls"], { exact: true }).selectOption("none");
    await expectRefused(page, add, t["office.refusal.tlsNeeded"]);
    await dialog.getByLabel(t["office.column.tls"], { exact: true }).selectOption("implicit");
    await fill(t["office.column.imap"], imap);
    await dialog.getByLabel(t["office.host.trust"]).selectOption("own");
    await fill(t["office.host.certificates"], "-----BEGIN CERTIFICATE----- no -----END CERTIFICATE-----");
    await expectRefused(page, add, t["office.refusal.certificates"]);
    await expectAccessible(page);
    expect((await rowsOf(request, "domains", domain))[0]).toMatchObject({ imap: null });
    await fill(t["office.host.certificates"], cert);
    await fill(say(t["office.optional"], { name: t["office.column.logins"] }), "60000");
    await confirm(page, add, say(t["office.host.added"], { name: domain, imap }));

    const row = page.getByRole("row").filter({ hasText: imap });
    const own = row.getByRole("cell").filter({ hasText: /^Yes$/ });
    await expect(row).toContainText(domain);
    await expect(row).toContainText(t["office.choice.implicit"]);
    await expect(own).toHaveCount(1);
    const change = t["office.host.change"];
    const begin = async () => {
      await page.getByRole("button", { name: opensAlone(change, imap) }).click();
      await expect(page.getByRole("dialog").getByLabel(t["office.column.imap"])).toHaveValue(imap);
    };
    // Saving changes no untouched field: TLS mode and certificate authority.
    await begin();
    await confirm(page, change, say(t["office.host.added"], { name: domain, imap }));
    await expect(own).toHaveCount(1);
    expect((await rowsOf(request, "hosts")).find(({ host }) => host === imap)).toMatchObject({
      tls: "implicit",
      own_ca: true,
      logins: 60_000,
    });
    await begin();
    await page.getByRole("dialog").getByLabel(t["office.host.trust"]).selectOption("known");
    await confirm(page, change, say(t["office.host.added"], { name: domain, imap }));
    await expect(own).toHaveCount(0);
    await expectLogged(page, domain, "hosts add");
  },
);

test.describe("a batch of mailboxes of a mail server", () => {
  let dovecot: Dovecot;
  test.skip(noDovecot !== undefined, noDovecot ?? "");
  test.beforeAll(async () => void (dovecot = await startDovecot()));
  test.afterAll(() => dovecot?.remove());

  test(
    "is tried, sold, refused and forgiven, all in the audit log",
    { tag: "@full" },
    async ({ page, request }) => {
      test.setTimeout(180_000);
      const domain = `hosted-${unique()}.test`;
      await act(request, "domains/add", { name: domain, price: "0.01", kind: "hosted" });
      await act(request, "hosts/add", {
        domain,
        imap: `localhost:${dovecot.tlsPort}`,
        tls: "implicit",
        logins: "100000",
        ca: dovecot.certificate.cert,
      });
      await enter(page, await theOperator(request));
      const investor = await newInvestor(request);
      const logins = Array.from({ length: 20 }, (_, place) => `box${place}@${domain}`);
      await dovecot.addUsers(logins);
      const upload = async (names: string[]) => {
        const headers = { token: investor.token, sites: "", "content-type": "text/plain" };
        const data = names.map((login) => `${login}:${dovecot.password}`).join("\n");
        return (await (await request.post("/investor/upload", { headers, data })).json()) as object;
      };
      const newest = async () => (await rowsOf(request, "batches", investor.email))[0] ?? {};
      const batches = page.getByRole("row").filter({ hasText: investor.email });
      const expectState = async (state: "active" | "refused") => {
        await expect.poll(async () => (await newest())["state"], { timeout: 60_000 }).toBe(state);
        await openSection(page, "batches", `?search=${encodeURIComponent(investor.email)}`);
        await expect(batches.first()).toContainText(t[`office.choice.${state}`]);
      };
      expect(await upload(logins)).toMatchObject({ status: "success", accepted: 20 });
      await expectState("active");

      const used = Array.from({ length: 20 }, (_, place) => `used${place}@${domain}`);
      await dovecot.addUsers(used);
      const at = new Date(Date.now() - 400 * 24 * 3600 * 1000);
      for (const login of used) await dovecot.drop(login, codeLetter("a.friend.example", "1"), { at });
      expect(await upload(used)).toMatchObject({ status: "success" });
      await expectState("refused");
      await expect(batches.first()).toContainText(t["office.choice.personal"]);
      expect(await upload(logins)).toMatchObject({ status: "error" });
      const refused = String((await newest())["id"]);
      // The widest table: its acts must stay visible.
      const mark = page.getByRole("button", { name: opensAlone(t["office.seen.mark"], refused) });
      const { x = 0, width = 0 } = (await mark.boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      await mark.click();
      await page.getByRole("dialog").getByLabel(t["office.reason"]).fill("   ");
      await expectRefused(page, t["office.seen.mark"], t["office.refusal.reason"]);
      expect(await newest()).toMatchObject({ flagged: true });
      await page.getByRole("dialog").getByLabel(t["office.reason"]).fill("talked to the investor");
      await confirm(page, t["office.seen.mark"], say(t["office.seen.done"], { name: investor.email }));
      expect(await newest()).toMatchObject({ flagged: false });
      await openSection(page, "journal");
      const logged = page.getByRole("row").filter({ hasText: "talked to the investor" });
      await expect(logged).toContainText("batches seen");
    },
  );
});

test("batches under review are approved and refused with a reason, and what another has decided stays so", async ({
  page,
  request,
}) => {
  const domain = `own-${unique()}.test`;
  await act(request, "domains/add", { name: domain, price: "0.01", kind: "own" });
  const investor = await newInvestor(request);
  const upload = async (name: string) => {
    const headers = { token: investor.token, sites: "", "content-type": "text/plain" };
    const data = Array.from({ length: 20 }, (_, place) => `${name}${place}@${domain}:secret`).join("\n");
    const said = (await (await request.post("/investor/upload", { headers, data })).json()) as object;
    expect(said).toMatchObject({ status: "success", id_batch: expect.stringMatching(/^\d+$/) });
    return (said as { id_batch: string }).id_batch;
  };
  const [good, bad, raced] = [await upload("good"), await upload("bad"), await upload("raced")];
  const waiting = async () => (await rowsOf(request, "batches", investor.email)).map((row) => row["state"]);
  await expect.poll(waiting, { timeout: 60_000 }).toEqual(["review", "review", "review"]);
  const state = async (id: string) =>
    (await rowsOf(request, "batches", investor.email)).find((row) => row["id"] === id)?.["state"];
  await enter(page, await theOperator(request));
  const search = `?search=${encodeURIComponent(investor.email)}`;

  await openSection(page, "batches", search);
  const row = page.getByRole("row").filter({ hasText: new RegExp(`#${good}(?!\\d)`) });
  await expect(row).toContainText(t["office.choice.own_domain"]);
  const approve = await openAct(page, good, t["office.batch.approve"]);
  await approve.getByLabel(t["office.reason"]).fill("   ");
  await expectRefused(page, t["office.batch.approve"], t["office.refusal.reason"]);
  await expectAccessible(page);
  expect(await state(good)).toBe("review");
  await approve.getByLabel(t["office.reason"]).fill("they are ours");
  await confirm(page, t["office.batch.approve"], say(t["office.batch.decided"], { id: good }));
  await expect(row).toContainText(t["office.choice.active"]);
  const buyer = await newBuyer(request);
  const order = { token: buyer.token, site: "instagram.com", domain };
  expect(await (await request.post("/email/order", { form: order })).json()).toMatchObject({
    status: "success",
  });
  await expectLogged(page, `batch ${good}`, "batches approve", "they are ours");

  await openSection(page, "batches", search);
  const refuse = await openAct(page, bad, t["office.batch.refuse"]);
  await refuse.getByLabel(t["office.reason"]).fill("never seen");
  await confirm(page, t["office.batch.refuse"], say(t["office.batch.decided"], { id: bad }));
  await expect(page.getByRole("row").filter({ hasText: new RegExp(`#${bad}(?!\\d)`) })).toContainText(
    t["office.choice.refused"],
  );
  expect(await state(bad)).toBe("refused");
  await expectLogged(page, `batch ${bad}`, "batches refuse", "never seen");

  await openSection(page, "batches", search);
  const late = await openAct(page, raced, t["office.batch.approve"]);
  await act(request, "batches/decide", { batch: raced, decision: "refuse", reason: "a moment before" });
  await late.getByLabel(t["office.reason"]).fill("too late");
  await expectRefused(page, t["office.batch.approve"], t["office.refusal.decided"]);
  expect(await state(raced)).toBe("refused");
});

test(
  "a letter that no order got is looked into without what it says, and delivered when its sender is let in",
  { tag: "@full" },
  async ({ page, request }) => {
    const [site, sender] = [`site-${unique()}.example`, `sender-${unique()}.example`];
    const buyer = await newBuyer(request);
    const ask = async (path: string, form: Record<string, string>) =>
      (await (await request.post(path, { form: { token: buyer.token, ...form } })).json()) as Record<
        string,
        unknown
      >;
    // A mailbox of a hosted domain also waits for letters of other sites.
    const domain = `own-${unique()}.test`;
    await act(request, "domains/add", { name: domain, price: "0.01", kind: "own" });
    await act(request, "stock/add", { domain, count: "1" });
    const { id, email } = await ask("/email/order", { site, domain });
    await sendLetter({
      from: `Codes <no-reply@${sender}>`,
      to: String(email),
      subject: "904417 is the code that you asked for",
      text: "Nobody but its buyer may read that the code is 904417.",
    });
    await expect.poll(async () => (await rowsOf(request, "turned_away", sender)).length).toBe(1);

    await enter(page, await theOperator(request));
    await openSection(page, "letters", `?search=${sender}`);
    const row = page.getByRole("row").filter({ hasText: sender });
    await expect(row).toContainText("###### is the code");
    const look = await openAct(page, sender, t["office.letter.look"]);
    await expect(look.getByText(t["office.letter.is.turned"])).toBeVisible();
    await look.getByText(t["office.letter.headers"], { exact: true }).click();
    await expect(look.locator("pre")).toContainText(`From: Codes <no-reply@${sender}>`);
    await expect(look.getByText("###### is the code that you asked for")).toBeVisible();
    await expect(page.locator("body")).not.toContainText("904417");
    await expect(page.locator("body")).not.toContainText("Nobody but its buyer");
    await expectAccessible(page);
    await page.keyboard.press("Escape");

    const add = t["office.senders.add"];
    const dialog = await openAct(page, sender, add);
    await expect(dialog.getByLabel(t["office.column.site"])).toHaveValue(site);
    await dialog.getByLabel(t["office.column.site"]).fill("no site");
    await expectRefused(page, add, t["office.refusal.site"]);
    await dialog.getByLabel(t["office.column.site"]).fill(site);
    await dialog.getByLabel(t["office.column.senders"]).fill(`${sender}, nothing at all`);
    await expectRefused(page, add, t["office.refusal.senders"]);
    expect((await rowsOf(request, "sites", site))[0]?.["senders"] ?? []).not.toContain(sender);
    await dialog.getByLabel(t["office.column.senders"]).fill(sender);
    await confirm(page, add, say(t["office.senders.added"], { delivered: "1", late: "0", unfit: "0" }));
    await expect(row).toHaveCount(0);
    expect(await ask("/email/getmessage", { id: String(id), wait: "30" })).toMatchObject({ code: "904417" });
    await openSection(page, "sites", `?search=${site}`);
    await expect(page.getByRole("row").filter({ hasText: site })).toContainText(sender);
    await expectLogged(page, site, "sites alias");

    await openSection(page, "sites", `?search=${site}`);
    const remove = t["office.senders.remove"];
    await expect(await openAct(page, site, remove)).toContainText(site);
    await expectAccessible(page);
    await confirm(page, remove, say(t["office.senders.removed"], { domain: sender, name: site }));
    await expect(page.getByRole("row").filter({ hasText: site })).not.toContainText(sender);
    await expectLogged(page, site, "sites unalias");
  },
);

test(
  "who lets a domain write for a second site reads for which other it writes, until that is closed",
  { tag: "@full" },
  async ({ page, request }) => {
    const [sender, first, second] = ["mailer", "first", "second"].map(
      (name) => `${name}-${unique()}.example`,
    );
    await act(request, "sites/senders", { site: first!, domains: sender! });
    await enter(page, await theOperator(request));
    await openSection(page, "sites");
    const add = t["office.senders.add"];
    await page.getByRole("button", { name: add, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: add });
    await dialog.getByLabel(t["office.column.site"]).fill(second!);
    await dialog.getByLabel(t["office.column.senders"]).fill(sender!);
    await dialog.getByRole("button", { name: add, exact: true }).click();
    const shared = say(t["office.senders.shared"], { domains: `${sender} (${first})` });
    await expect(dialog.getByText(shared)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    expect((await rowsOf(request, "sites", second))[0]).toMatchObject({ senders: [sender] });
  },
);

test(
  "a site is blocked before anybody orders for it, opened and blocked again by its row, all in the audit log",
  { tag: "@full" },
  async ({ page, request }) => {
    const site = `blocked-${unique()}.example`;
    const buyer = await newBuyer(request);
    const order = async () =>
      (await (
        await request.post("/email/order", { form: { token: buyer.token, site, domain: "letters.test" } })
      ).json()) as object;
    await enter(page, await theOperator(request));
    await openSection(page, "sites", `?search=${site}`);
    const block = t["office.site.block"];
    await page.getByRole("button", { name: block }).click();
    const dialog = page.getByRole("dialog", { name: block });
    await dialog.getByLabel(t["office.column.site"]).fill("no site");
    await expectRefused(page, block, t["office.refusal.site"]);
    await expectAccessible(page);
    expect(await rowsOf(request, "sites", site)).toEqual([]);
    await dialog.getByLabel(t["office.column.site"]).fill(`https://www.${site}/login`);
    await confirm(page, block, say(t["office.site.block.done"], { name: site }));
    const row = page.getByRole("row").filter({ hasText: site });
    await expect(row.getByRole("cell").filter({ hasText: /^Yes$/ })).toHaveCount(1);
    expect(await order()).toMatchObject({ status: "error", value: "site" });

    await openAct(page, site, t["office.site.unblock"]);
    await confirm(page, t["office.site.unblock"], say(t["office.site.unblock.done"], { name: site }));
    await expect(row.getByRole("cell").filter({ hasText: /^Yes$/ })).toHaveCount(0);
    expect(await order()).toMatchObject({ status: "success" });

    // The count is that of the table's last read.
    await openSection(page, "sites", `?search=${site}`);
    const again = await openAct(page, site, block);
    await expect(again).toContainText("1 open order keeps waiting");
    await confirm(page, block, say(t["office.site.block.done"], { name: site }));
    expect(await order()).toMatchObject({ status: "error", value: "site" });
    await openSection(page, "journal", `?filters=${encodeURIComponent(`about:${site}`)}`);
    await expect(page.getByRole("row").filter({ hasText: "sites block" })).toHaveCount(2);
    await expect(page.getByRole("row").filter({ hasText: "sites unblock" })).toHaveCount(1);
  },
);

test(
  "letters to the postmaster are read as the text that they are, and any letter is found by its number",
  { tag: "@full" },
  async ({ page, request }) => {
    const subject = `Complaint ${unique()}`;
    await sendLetter({
      from: "Somebody <who@elsewhere.example>",
      to: "abuse@letters.test",
      subject,
      html: "<p>You sent me <b>junk</b>.</p><script>document.title = 'broken'</script>",
    });
    const headers = await asOperator(request);
    const letters = async () => (await request.get("/api/admin/letters", { headers })).text();
    await expect.poll(letters, { timeout: 30_000 }).toContain(subject);
    await enter(page, await theOperator(request));
    await openSection(page, "letters");
    await page.getByRole("tab", { name: t["office.letters.postmaster"] }).click();
    await expect(page).toHaveURL(/tab=postmaster/);
    await expect(page.getByRole("row").filter({ hasText: subject })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: opensAlone(t["office.letter.read"], subject) }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("You sent me junk.")).toBeVisible();
    await expect(dialog.getByText(t["office.letter.is.postmaster"])).toBeVisible();
    await expectAccessible(page);
    const title = await dialog.getByRole("heading", { level: 2 }).textContent();
    const id = /\d+/.exec(title ?? "")?.[0] ?? "";
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: t["office.letters.turned_away"] }).click();
    const find = t["office.letter.find"];
    await page.getByRole("button", { name: find }).click();
    await dialog.getByLabel(t["office.letter.number"]).fill("the newest");
    await dialog.getByRole("button", { name: find }).click();
    await expect(dialog.getByText(t["office.letter.number.wrong"])).toBeVisible();
    await dialog.getByLabel(t["office.letter.number"]).fill("999999999999");
    await dialog.getByRole("button", { name: find }).click();
    await expect(dialog.getByRole("alert")).toHaveText(t["office.refusal.letterGone"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: find }).click();
    await dialog.getByLabel(t["office.letter.number"]).fill(`#${id}`);
    await dialog.getByRole("button", { name: find }).click();
    await expect(dialog.getByText(subject, { exact: true })).toBeVisible();
    await openSection(page, "journal", `?filters=${encodeURIComponent(`about:letter ${id}`)}`);
    await expect(page.getByRole("row").filter({ hasText: "letters show" })).toHaveCount(2);
  },
);
