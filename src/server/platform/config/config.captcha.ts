import { ConfigError, read, type Environment } from "./config.fields.ts";
import { captcha } from "./config.table.ts";

/** The services need keys; ALTCHA is local and needs none. */
export type Captcha =
  | { kind: "altcha" | "off" }
  | {
      kind: "recaptcha" | "turnstile" | "hcaptcha";
      siteKey: string;
      secret: string;
      verifyUrl: string | undefined;
    };

/** The CAPTCHA settings. Throws ConfigError when they do not go together. */
export function readCaptcha(env: Environment, demo: boolean): Captcha {
  const { kind, ...keys } = read(env, captcha);
  const { siteKey, secret, verifyUrl } = keys;
  if (kind === "off" && !demo) throw new ConfigError("CAPTCHA can be off only with DEMO=true.");
  if (kind === undefined) {
    const stray = (["siteKey", "secret", "verifyUrl"] as const).find((key) => keys[key] !== undefined);
    if (stray !== undefined)
      throw new ConfigError(
        `${captcha[stray].name} is set, but CAPTCHA does not name the service that it belongs to.`,
      );
  }
  if (kind === undefined || kind === "off" || kind === "altcha") return { kind: kind ?? "altcha" };
  if (siteKey === undefined) throw new ConfigError(`CAPTCHA_SITE_KEY is required with CAPTCHA=${kind}.`);
  if (secret === undefined) throw new ConfigError(`CAPTCHA_SECRET is required with CAPTCHA=${kind}.`);
  return { kind, siteKey, secret, verifyUrl };
}
