import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";

const renderer = fileURLToPath(new URL("../../dist/ssr/render.js", import.meta.url));

test("the built renderer needs nothing that a production install is without", async () => {
  const code = await readFile(renderer, "utf8");
  const imported = [...code.matchAll(/^(?:import|export)\b[^"'\n]*["']([^"'\n]+)["'];?$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(imported.filter((name) => !name.startsWith("node:") && !name.startsWith("."))).toEqual([]);
});
