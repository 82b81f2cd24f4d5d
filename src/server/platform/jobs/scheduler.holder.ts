// Who leases jobs, by a name that tells other processes of the same machine when it is gone.
import { randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** This machine, as far as numbers of processes mean the same: in each container they are others. */
export const machine = `${hostname()} ${processNumbers()} `;

/** Which of all processes that had this number. */
const began = randomBytes(4).toString("hex");

/** A name for a scheduler of this process. */
export const newHolder = (): string => `${machine}${process.pid} ${began} ${randomBytes(4).toString("hex")}`;

/** Whether a holder of this machine is gone: its process ended, however it did. */
export function isGone(holder: string): boolean {
  const [pid = "", itsBegan] = holder.slice(machine.length).split(" ");
  if (Number(pid) === process.pid) return itsBegan !== began;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function processNumbers(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
