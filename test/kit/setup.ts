import { afterAll } from "vitest";

import { dropAll } from "./database.ts";

// Registered before any of the file's own, so it runs after all of them.
afterAll(dropAll);
