// A Dovecot for the tests that fetch letters over IMAP: the system's, or Debian's when we are root.
import { existsSync, rmSync, writeFileSync } from "node:fs";

import { installPackage } from "./debian.mjs";
import { run } from "./run.mjs";

const places = ["/usr/sbin/dovecot", "/usr/local/sbin/dovecot"];
const policy = "/usr/sbin/policy-rc.d";

/** Whether there is one. */
export const hasDovecot = () => places.some((path) => existsSync(path));

/** Installs it where that can be done; its tests are skipped, and say so, where it cannot. Never leaves a server running. */
export async function installDovecot() {
  // invoke-rc.d asks this before it starts a service: Dovecot is started by its tests alone.
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
