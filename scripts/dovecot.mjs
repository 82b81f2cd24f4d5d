// Dovecot for the IMAP tests: the system's, or Debian's as root.
import { existsSync, rmSync, writeFileSync } from "node:fs";

import { findProgram, installPackage } from "./debian.mjs";
import { run } from "./run.mjs";

const policy = "/usr/sbin/policy-rc.d";

export const hasDovecot = () => findProgram("dovecot") !== undefined;

export async function installDovecot() {
  // invoke-rc.d asks this file: only the tests start Dovecot.
  const isOurs = process.getuid?.() === 0 && !existsSync(policy);
  if (isOurs) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const removePolicy = () => isOurs && rmSync(policy, { force: true });
  process.once("exit", removePolicy);
  const isInstalled = await installPackage("dovecot-imapd", "Dovecot");
  if (isInstalled && hasDovecot()) await run("update-rc.d", ["dovecot", "disable"]);
  removePolicy();
  process.off("exit", removePolicy);
  return hasDovecot();
}
