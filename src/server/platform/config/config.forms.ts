// The forms of single settings.
import { hkdfSync } from "node:crypto";
import { isIP } from "node:net";
import { z } from "zod/mini";
import { readPrivateKey, readPublicKey } from "../backup/keys.ts";
import { type Usd, usd } from "../money.ts";
import { as, type Field, http, isHostName, item, list, made, parsed, url, Wrong } from "./config.fields.ts";
import { lackOf } from "./config.random.ts";

/** A process has one or several; any number of processes share a database. */
export const roles = ["web", "smtp", "jobs", "bot"] as const;
export type Role = (typeof roles)[number];

export const roleList = list(
  as(
    (value) => roles.find((each) => each === value),
    (value) => `has "${value}" but the roles are ${roles.join(", ")}`,
  ),
);

const sslmodes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
const postgres = url("postgres", "postgresql");
/** Several hosts are no URL to the platform: the first of them is looked at. */
export const databaseUrl: Field<string> = made((given) => {
  const one = given.replace(/^(\w+:\/\/(?:[^/?]*@)?[^/?,]*)[^/?]*/, "$1");
  const { href, searchParams } = parsed(postgres, one);
  const mode = searchParams.get("sslmode");
  // A misspelt one must not be a connection that anybody may read.
  if (mode !== null && !sslmodes.includes(mode))
    throw new Wrong(`has another sslmode than ${sslmodes.join(", ")}`);
  return one === given ? href : given;
});

export const replicaUrl = databaseUrl.check(
  z.refine((given) => !/^\w+:\/\/(?:[^/?]*@)?[^/?]*,/.test(given), {
    error: "names several hosts, but takes one: a replica, or what leads to replicas",
  }),
);

/** A scheme, a host and a port. */
export const origin = z.pipe(
  http.check(
    z.refine(
      ({ search, hash, username, pathname }) =>
        search === "" && hash === "" && username === "" && pathname === "/",
      { error: "must be only a scheme, a host and a port, for example https://shop.example" },
    ),
  ),
  z.transform(({ origin: given }: URL) => given),
);

const opensslHint = "`openssl rand -hex 32` makes one";
export const keyMissing = `SECRET_KEY is required with DATABASE_URL; ${opensslHint}.`;
export const key = made((given) => {
  const lack = lackOf(given);
  if (lack === undefined) return deriveKey(given);
  throw new Wrong(
    `${lack}; ${opensslHint}. A shop that has this one already takes the new one and, until all is sealed with that, this one as SECRET_KEY_OLD`,
  );
});
/** It was accepted once, and has to open what it sealed. */
export const keyBefore = made(deriveKey);

/** A key of the right length from any text (RFC 5869). */
export function deriveKey(given: string): Buffer {
  return Buffer.from(hkdfSync("sha256", given, "", "postern SECRET_KEY", 32));
}

export const backupKey = as(
  readPublicKey,
  () => "must be a public key (backup-public-…); `npm run shop -- backup-key <file>` makes a pair",
);
export const backupPrivateKey = as(readPrivateKey, () => "must be a private key (backup-private-…)");

const emailForm = /^[^\s@<>,:]+@[\p{L}\p{N}.-]+$/u;
export const emails = z.pipe(
  list(
    as(
      (given) => (emailForm.test(given) ? given.toLowerCase() : undefined),
      (given) => `has "${given}", which is not an email address`,
    ),
  ),
  z.transform((given: string[]): ReadonlySet<string> => new Set(given)),
);

const named = ["loopback", "linklocal", "uniquelocal"];
const trusted = list(
  item(
    (proxy) => named.includes(proxy) || isNetwork(proxy),
    "true or false alone, or addresses and networks (10.0.0.0/8)",
  ),
);
export const trustProxy: Field<boolean | string[]> = made((given) => {
  if (given === "true" || given === "false") return given === "true";
  return parsed(trusted, given);
});

/** At once and in a day. */
export const adjustLimit = as<{ readonly one: Usd; readonly day: Usd }>(
  (value) => {
    const [, one, day] = /^(\d{1,9}),(\d{1,9})$/.exec(value) ?? [];
    return one === undefined || day === undefined ? undefined : { one: usd(one), day: usd(day) };
  },
  (value) => `is "${value}" but takes two whole numbers of dollars, at once and in a day (500,2000)`,
);

/** The least of one, the most of one, and the most in a day. */
export const withdrawalLimits = as<{ readonly least: Usd; readonly one: Usd; readonly day: Usd }>(
  (value) => {
    const given = /^(\d{1,6}),(\d{1,6}),(\d{1,6})$/.exec(value)?.slice(1) ?? [];
    const [least, one, day] = given.map((dollars) => usd(dollars));
    if (least === undefined || one === undefined || day === undefined) return undefined;
    return least > 0n && least <= one && one <= day ? { least, one, day } : undefined;
  },
  (value) =>
    `is "${value}" but takes three whole numbers of dollars that do not fall, the first above 0: at least, at once and in a day (10,500,1000)`,
);

export const networkOrHost = item(
  (entry) => isNetwork(entry) || isHostName(entry),
  "host names, addresses and networks (10.0.0.0/8)",
);

export const ports = as<readonly [first: number, last: number]>(
  (entry) => {
    const [, first = "", last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(entry) ?? [];
    const [from, to] = [Number(first), Number(last)];
    return first === "" || from < 1 || to > 65_535 || from > to ? undefined : [from, to];
  },
  (entry) => `has "${entry}" but takes ports from 1 to 65535, each alone or as first-last (9000-9010)`,
);

function isNetwork(value: string): boolean {
  const [given = "", bits, ...rest] = value.split("/");
  const version = isIP(given);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
