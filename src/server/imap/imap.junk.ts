// Folders for junk: letters of a site may be sorted there.
import type { ImapFlow, ListResponse } from "imapflow";
import { specialUse } from "imapflow/lib/special-use.js";

/** Names that the library does not know. */
const names =
  /^(?:bulk|spamverdacht|junk[-_ ]?suspects?|suspected spam|probably[-_ ]spam|spam[-_ ]?quarantine|quarantine|quarantäne|unerwünscht|спам-рассылки|сомнительные)$/i;

/** The paths of all folders that the server flags as junk (RFC 6154), or that are called so in one of many languages. */
export async function junkFolders(client: ImapFlow): Promise<string[]> {
  const folders = (await client.list()).filter(({ flags }) => !flags.has("\\Noselect"));
  return folders.filter(isJunk).map(({ path }) => path);
}

/** The library calls only the best one of a mailbox its junk folder. */
export function isJunk({
  flags,
  name,
  specialUse: use,
}: Pick<ListResponse, "flags" | "name" | "specialUse">): boolean {
  const isFlagged = use === "\\Junk" || [...flags].some((flag) => flag.toLowerCase() === "\\junk");
  return isFlagged || specialUse(false, { flags, name }).flag === "\\Junk" || names.test(name.trim());
}
