import { domainToASCII } from "node:url";
import { registrable } from "../platform/registrable.ts";

export type SiteName = { domain: string } | { word: string };

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//;
const hostPattern =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The registrable domain, by the public suffix list, of a text with scheme, path, port, `www.` or in its own script; undefined without one. */
export function readSite(text: string): SiteName | undefined {
  const host = hostOf(text);
  if (host === undefined) return undefined;
  if (!host.includes(".")) return { word: host };
  const domain = registrable(host);
  return domain ? { domain } : undefined;
}

function hostOf(text: string): string | undefined {
  const address = text.trim().toLowerCase().replace(schemePattern, "");
  const authority = address.split(/[/?#\\]/u, 1)[0] ?? "";
  const host = authority
    .slice(authority.lastIndexOf("@") + 1)
    .replace(/:\d{0,5}$/, "")
    .replace(/\.$/, "");
  const ascii = domainToASCII(host);
  return hostPattern.test(ascii) ? ascii.replace(/^www\.(?=.+\.)/, "") : undefined;
}

/** Whether it is a full host name in ASCII, as a mail domain must be. */
export function isHostName(text: string): boolean {
  return text.includes(".") && hostPattern.test(text);
}
