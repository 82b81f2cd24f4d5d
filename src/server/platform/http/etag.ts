import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** A digest of the program: an answer of one release must not pass for that of the next. */
export const release = digest();

function digest(): string {
  const sources = ["src/contract", "src/server"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const own = sources.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const hash = createHash("sha256");
  for (const file of ["package.json", ...own.toSorted()])
    hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("base64url").slice(0, 8);
}

export const tagOf = (version: string) => `W/"${release}.${version}"`;

/** RFC 9110 §13.1.2: weak comparison with any listed tag; `*` is any. */
export function isKnown(request: FastifyRequest, version: string): boolean {
  const known = request.headers["if-none-match"];
  const bare = version.slice(2);
  const tags = known?.split(",").map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === "*" || tag.replace(/^W\//, "") === bare);
}
