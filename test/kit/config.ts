import { ConfigError } from "../../src/server/platform/config/config.ts";

/** What settings are refused with. */
export function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("it was accepted");
}
