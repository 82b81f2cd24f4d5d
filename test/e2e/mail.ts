import { outboxCode } from "../kit/outbox.ts";
import { place } from "./shopAddress.ts";

/** Waits for so many codes and answers the newest. */
export const codeFor = (email: string, count = 1): Promise<string> => outboxCode(place.dataDir, email, count);
