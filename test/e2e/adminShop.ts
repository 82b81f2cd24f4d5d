import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import arabicOffice from "../../i18n/office/ar.json" with { type: "json" };
import englishOffice from "../../i18n/office/en.json" with { type: "json" };
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { type Place, shopProcess } from "../kit/process.ts";
import { enter } from "./buyer.ts";
import { texts as common, type Walked } from "./visitor.ts";

/** What administrators read, in the languages that are walked. */
export const texts = { en: { ...common.en, ...englishOffice }, ar: { ...common.ar, ...arabicOffice } };

type Said = Record<string, unknown>;

/** A shop of its own: what is published there would stand on every other test's home page. */
export interface AdminShop {
  url: string;
  place: Place;
  /** Of its first account, an administrator. */
  token: string;
  /** The token of a new, activated account. */
  newAccount(email: string): Promise<string>;
  /** Asks a call that must succeed. */
  say(path: string, body: object, as?: string): Promise<Said>;
  /** What readers of a language get. */
  listed(kind: "newsmain" | "stories", lang: string): Promise<Said[]>;
  /** Opens the page of stories and news with a token kept, or none. */
  open(page: Page, as: string, tab: "stories" | "news", language?: Walked): Promise<void>;
  remove(): Promise<void>;
}

/** Starts one, and registers its administrator. */
export async function openAdminShop(): Promise<AdminShop> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-admin-"));
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
  const process = shopProcess(place, { CAPTCHA: "off", ADMIN_EMAILS: "operator@example.com" });
  await process.start();
  const { url } = process;
  const say = async (path: string, body: object, as = ""): Promise<Said> => {
    const headers = { "content-type": "application/json", ...(as && { authorization: `Bearer ${as}` }) };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const said = (await answer.json()) as Said;
    expect(said).toMatchObject({ status: "success" });
    return said;
  };
  const newAccount = async (email: string): Promise<string> => {
    const form = { email, password: "correct horse", localization: "ru", recaptcha: "off" };
    const token = String((await say("/user/registration", form))["token"]);
    await say("/user/activate", { token, code: await outboxCode(dataDir, email) });
    return token;
  };
  return {
    url,
    place,
    token: await newAccount("operator@example.com"),
    newAccount,
    say,
    async listed(kind, lang) {
      const answer = await fetch(`${url}/api/${kind}/list?lang=${lang}`);
      const said = (await answer.json()) as Record<string, Said[]>;
      return said[kind === "newsmain" ? "news" : "stories"] ?? [];
    },
    async open(page, as, tab, language = "en") {
      await enter(page, { token: as }, url);
      await page.evaluate((kept) => localStorage.setItem("adminTab", kept), tab);
      await page.goto(`${url}/${language}/admin/stories`);
    },
    remove: () => process.remove(),
  };
}

/** The name of a button of a row, whose number is set apart from the words around it. */
export const named = (text: string, id: unknown) => text.replace("{number}", `\u2068#${String(id)}\u2069`);

/** What must stay text wherever it is written. */
export const hostile = [
  "<script>document.title = 'broken'</script>after a script",
  "<img src=x onerror=\"document.title = 'broken'\">after a picture",
  "[press](javascript:document.title='broken')",
];
