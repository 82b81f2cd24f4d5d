import { getDomain } from "tldts";

/** By the public suffix list: example.co.uk of mail.example.co.uk. Undefined for an IP address or a bare suffix. */
export const registrable = (host: string): string | undefined => getDomain(host.toLowerCase()) ?? undefined;
