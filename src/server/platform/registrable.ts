import { getDomain, parse } from "tldts";

/** By the public suffix list: example.co.uk of mail.example.co.uk. Undefined for an IP address or a bare suffix. */
export const registrable = (host: string): string | undefined => getDomain(host.toLowerCase()) ?? undefined;

/** Whether it is a name below a suffix that registries give: no IP address, no name of a private network. */
export function isPublicName(host: string): boolean {
  const { domain, isIp, isIcann } = parse(host.toLowerCase());
  return isIp === false && isIcann === true && domain !== null;
}
