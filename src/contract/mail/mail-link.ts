// Links in our mails: the secret is in the fragment, which browsers send to no server.
import { linkLetters } from "../limits.ts";

/** A link that opens the form of a code, or of "this was not me". But to activate, the address of the account is needed too. */
export type MailLink =
  | { readonly mode: "activate"; readonly code: string }
  | { readonly mode: "reset" | "disown"; readonly code: string; readonly email: string };

/** Without runs of digits, which a program would take for the code of the mail. */
export function fragmentOf(link: MailLink): string {
  return ["", link.mode, link.code, ...(link.mode === "activate" ? [] : [written(link.email)])]
    .join("/")
    .replace("/", "#");
}

/** The link of an address's fragment, undefined when it is none of ours. */
export function readFragment(fragment: string): MailLink | undefined {
  const [, mode, code = "", email] = form.exec(fragment) ?? [];
  if (mode === "activate" && email === undefined) return { mode, code };
  if ((mode !== "reset" && mode !== "disown") || email === undefined) return undefined;
  try {
    return { mode, code, email: decodeURIComponent(email) };
  } catch {
    return undefined;
  }
}

const form = new RegExp(`^#(activate|reset|disown)/([A-Za-z]{${linkLetters}})(?:/([^/]+))?$`);

const written = (text: string) =>
  encodeURIComponent(text).replace(/%..|[0-9]/g, (sign) => (sign.length === 1 ? `%3${sign}` : sign));
