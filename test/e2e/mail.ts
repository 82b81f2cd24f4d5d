import { outboxCode } from "../kit/outbox.ts";
import { place } from "./shopAddress.ts";

export const codeFor = (email: string, count = 1): Promise<string> => outboxCode(place.dataDir, email, count);
