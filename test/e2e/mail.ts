import { expect } from "@playwright/test";
import { linksFor, noticesFor, outboxCode } from "../kit/outbox.ts";
import { place } from "./shopAddress.ts";

export const codeFor = (email: string, count = 1): Promise<string> => outboxCode(place.dataDir, email, count);

/** The link of the newest of `count` mails to an address. */
export async function linkFor(email: string, count = 1): Promise<string> {
  await codeFor(email, count);
  const link = (await linksFor(place.dataDir, email)).at(-1);
  if (link === undefined) throw new Error(`the mail to ${email} has no link`);
  return link;
}

/** The link "this was not me" of the mail that told of a change. */
export async function disownLinkFor(email: string): Promise<string> {
  const isHere = () => noticesFor(place.dataDir, email);
  await expect.poll(async () => (await isHere()).length).toBeGreaterThan(0);
  return (await isHere()).at(-1)?.link ?? "";
}
