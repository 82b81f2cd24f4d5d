export interface Login {
  readonly part: string;
  readonly domain: string | undefined;
  readonly password: string;
}

const form = /^([^:\s@]+)(?:@([^:\s@]+))?:(.+)$/;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const partLengthMax = 64; // RFC 5321 §4.5.3.1.1
const passwordLengthMax = 256;

/** Reads `login:password`; undefined for an empty line. Refusals never contain the password. */
export function readLogin(text: string): Login | "malformed" | undefined {
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  if (trimmed.trim() === "") return undefined;
  const [, login = "", domain, password = ""] = form.exec(trimmed) ?? [];
  const part = login.toLowerCase();
  const isRight =
    password !== "" &&
    password.length <= passwordLengthMax &&
    !password.includes("\0") &&
    part.length <= partLengthMax &&
    localPart.test(part);
  return isRight ? { part, domain: domain?.toLowerCase(), password } : "malformed";
}
