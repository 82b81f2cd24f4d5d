/** What a line of a file of mailboxes says. */
export interface Login {
  /** In lower case. */
  readonly part: string;
  /** What stands after the @, in lower case; undefined when the line leaves it out. */
  readonly domain: string | undefined;
  readonly password: string;
}

const form = /^([^:\s@]+)(?:@([^:\s@]+))?:(.+)$/;
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const partLengthMax = 64; // RFC 5321 §4.5.3.1.1
const passwordLengthMax = 256;

/** Reads `login:password`. Undefined for a line that is empty. No password is ever part of a complaint. */
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
