import { linksFor, outboxCode } from "../kit/outbox.ts";
import { place } from "./shopAddress.ts";

export const codeFor = (email: string, count = 1): Promise<string> => outboxCode(place.dataDir, email, count);

/** The link of the newest of `count` mails to an address. */
export async function linkFor(email: string, count = 1): Promise<string> {
  await codeFor(email, count);
  const link = (await linksFor(place.dataDir, email)).at(-1);
  if (link === undefined) throw new Error(`the mail to ${email} has no link`);
  return link;
}
