import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { type Place, shopProcess } from "../kit/process.ts";
import { expect, test as quiet } from "./fixtures.ts";

type Said = Record<string, unknown>;

/** A separate shop for changes that other tests would see; its administrator has the id 1. */
export interface OwnShop {
  readonly url: string;
  readonly place: Place;
  say(path: string, body: object, token?: string, headers?: Record<string, string>): Promise<Said>;
  /** As if the administrator had signed in just now. */
  prove(): Promise<Said>;
  see(path: string, asked?: Record<string, string>, token?: string): Promise<Said>;
  register(email: string, word?: string): Promise<string>;
  readonly administrator: string;
  picture(colour: string): Promise<string>;
  remove(): Promise<void>;
}

export async function openOwnShop(settings: Record<string, string> = {}, port?: number): Promise<OwnShop> {
  const administrator = "operator@example.com";
  const dataDir = await mkdtemp(join(tmpdir(), "postern-own-"));
  const place = { port: port ?? (await freePort()), smtpPort: await freePort(), dataDir };
  const shop = shopProcess(place, { CAPTCHA: "off", ADMIN_EMAILS: administrator, ...settings });
  await shop.start();
  const say = async (path: string, body: object, token: string, more = {}): Promise<Said> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...more };
    const answer = await fetch(shop.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const said = (await answer.json()) as Said;
    expect(said, path).toMatchObject({ status: "success" });
    return said;
  };
  const see = async (path: string, asked: Record<string, string>, token: string): Promise<Said> => {
    const headers = { authorization: `Bearer ${token}` };
    const said = (await (
      await fetch(`${shop.url}${path}?${new URLSearchParams(asked)}`, { headers })
    ).json()) as Said;
    expect(said, path).toMatchObject({ status: "success" });
    return said;
  };
  const register = async (email: string, word?: string) => {
    const asked = { email, password: "correct horse", localization: "ru", recaptcha: "off" };
    const cookie = word === undefined ? {} : { cookie: `ref_code=${word}` };
    const token = String((await say("/user/registration", asked, "", cookie))["token"]);
    await say("/user/activate", { token, code: await outboxCode(dataDir, email) }, token);
    return token;
  };
  const own = await register(administrator);
  return {
    url: shop.url,
    place,
    say: (path, body, token = own, headers = {}) => say(path, body, token, headers),
    prove: () => say("/user/prove", { password: "correct horse" }, own),
    see: (path, asked = {}, token = own) => see(path, asked, token),
    register,
    administrator: own,
    picture: async (colour) => {
      const create = { width: 300, height: 500, channels: 3, background: colour } as const;
      const body = new Uint8Array(await sharp({ create }).png().toBuffer());
      const headers = { authorization: `Bearer ${own}`, "content-type": "image/png" };
      const answer = await fetch(`${shop.url}/api/admin/stories/image`, { method: "POST", headers, body });
      const said = (await answer.json()) as Said;
      expect(said).toMatchObject({ status: "success" });
      return String(said["image"]);
    },
    remove: () => shop.remove(),
  };
}

export interface SharedShop extends OwnShop {
  ordinary: string;
}

export const test = quiet.extend<{ baseURL: string }, { shop: SharedShop }>({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants one, also where a fixture needs no other.
    async ({}, use) => {
      const shop = await openOwnShop({ TRUST_PROXY: "loopback" });
      await use({ ...shop, ordinary: await shop.register("ordinary@example.com") });
      await shop.remove();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ shop }, use) => {
    // The shop serves for longer than a proof counts.
    await shop.prove();
    await use(shop.url);
  },
});
