import { getDomain } from "tldts";

/**
 * The registrable domain of a host, by the public suffix list: example.co.uk of mail.example.co.uk. In lower case.
 * Undefined for an address literal or a bare suffix.
 */
export const registrable = (host: string): string | undefined => getDomain(host.toLowerCase()) ?? undefined;
