import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import * as z from "zod/mini";
import { secondsAfter, unixSeconds } from "../clock.ts";
import type { Captcha as Setting } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { timeOf } from "../db/time.ts";
import type { Seal } from "../seal.ts";

export interface Captcha {
  readonly kind: Setting["kind"];
  readonly siteKey?: string;
  challenge(): Promise<object> | undefined;
  /** Whether the payload solves an unused puzzle, which this uses up. Throws when the service fails. */
  verify(payload: string, remoteAddress: string): Promise<boolean>;
}

interface Parts {
  readonly setting: Setting;
  readonly seal: Seal;
  readonly db: Db;
  /** PBKDF2 rounds for each number that a client tries; fewer in tests. */
  readonly cost?: number;
}

const lifeSeconds = 10 * 60;
const serviceTimeoutMs = 5_000;
/** reCAPTCHA 3 has a score; its documentation suggests one half. Others have none. */
const scoreMin = 0.5;
const usualCost = 5_000;
/** Numbers that a client tries: with `usualCost` half a second on a phone, and expensive by the thousand. */
const counterMin = 40;
const counterMax = 120;

const verifyUrls = {
  recaptcha: "https://www.google.com/recaptcha/api/siteverify",
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
  hcaptcha: "https://api.hcaptcha.com/siteverify",
} as const;

export function openCaptcha({ setting, seal, db, cost = usualCost }: Parts): Captcha {
  if ("secret" in setting) return service(setting);
  if (setting.kind === "altcha") return altcha(seal, db, cost);
  return { kind: "off", challenge: () => undefined, verify: async (payload) => payload !== "" };
}

export async function forgetUsed(db: Db, at: Date): Promise<number> {
  return (await db`delete from captcha_used where expires_at <= ${at}`).count;
}

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      expiresAt: z.number(),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

/**
 * Local proof of work. The keys derive from SECRET_KEY, so all processes agree. How long a challenge lives is in its key and compared
 * with the database's time: the library would compare it with the clock of this machine.
 */
function altcha(seal: Seal, db: Db, cost: number): Captcha {
  const keysFor = ({ hash }: Seal, expiresAt: number) => ({
    hmacSignatureSecret: hash("altcha", `challenge until ${expiresAt}`).toString("hex"),
    hmacKeySignatureSecret: hash("altcha", "solution").toString("hex"),
  });
  const makers = seal.before ? [seal, seal.before] : [seal];
  return {
    kind: "altcha",
    challenge: async () => {
      const expiresAt = unixSeconds(secondsAfter(await timeOf(db), lifeSeconds));
      const { parameters, signature } = await createChallenge({
        algorithm: "PBKDF2/SHA-256",
        cost,
        counter: randomInt(counterMin, counterMax),
        deriveKey,
        ...keysFor(seal, expiresAt),
      });
      return { parameters: { ...parameters, expiresAt }, signature };
    },
    verify: async (payload) => {
      const read = Payload.safeParse(decode(payload));
      if (!read.success) return false;
      const { challenge, solution } = read.data;
      const { signature } = challenge;
      const { expiresAt, ...parameters } = challenge.parameters;
      const challenged = { parameters, signature };
      let maker: Seal | undefined;
      for (const one of makers) {
        const keys = keysFor(one, expiresAt);
        const checked = await verifySolution({ challenge: challenged, solution, deriveKey, ...keys });
        if (checked.verified) maker = one;
        if (maker) break;
      }
      if (!maker) return false;
      const until = new Date(expiresAt * 1000);
      const noted = await db`
        insert into captcha_used (hash, expires_at)
        select ${maker.hash("captcha used", signature)}, ${until} where clock_timestamp() < ${until}
        on conflict do nothing`;
      return noted.count === 1;
    },
  };
}

function decode(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64").toString("utf8"));
  } catch {
    return undefined;
  }
}

const Verdict = z.looseObject({
  success: z.boolean(),
  score: z.optional(z.number()),
  "error-codes": z.optional(z.array(z.string())),
});

/** Errors of the operator's secret, not of the visitor's answer. */
const settingFaults = new Set(["missing-input-secret", "invalid-input-secret", "invalid-keys"]);

/** reCAPTCHA, Turnstile and hCaptcha share "siteverify", and ensure single use. */
function service(setting: Extract<Setting, { secret: string }>): Captcha {
  const { kind, siteKey, secret, verifyUrl = verifyUrls[kind] } = setting;
  return {
    kind,
    siteKey,
    challenge: () => undefined,
    verify: async (payload, remoteAddress) => {
      const verdict = await ask(kind, verifyUrl, { secret, response: payload, remoteip: remoteAddress });
      const wrong = verdict["error-codes"]?.find((code) => settingFaults.has(code));
      if (wrong !== undefined) throw new Error(`${kind} refuses CAPTCHA_SECRET: ${wrong}`);
      return verdict.success && (verdict.score ?? 1) >= scoreMin;
    },
  };
}

async function ask(
  kind: string,
  url: string,
  form: Record<string, string>,
): Promise<z.infer<typeof Verdict>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(form),
      signal: AbortSignal.timeout(serviceTimeoutMs),
      redirect: "error",
    });
    if (!response.ok) throw new Error(`it answered HTTP ${response.status}`);
    return Verdict.parse(await response.json());
  } catch (fault) {
    throw new Error(`${kind} could not be asked about a captcha`, { cause: fault });
  }
}
