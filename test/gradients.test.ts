import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { gradients } from "../src/contract/stories.ts";

const css = readFileSync(new URL("../src/web/stories/gradients.module.css", import.meta.url), "utf8");

function variablesOf(name: string): Record<string, string> {
  const own = css.match(new RegExp(`\\n}\\n\\n\\.${name} \\{([^}]*)\\}`))?.[1];
  if (own === undefined) throw new Error(`no gradient ${name}`);
  const all = css.match(/\.black \{([^}]*)\}/)?.[1] ?? "";
  return Object.fromEntries(
    [...`${all}${own}`.matchAll(/--slide-(\w+): (#[0-9a-f]{6})/g)].map(([, key, value]) => [key, value]),
  );
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = "", other = ""): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const name of gradients) {
  test(`what is written on ${name} can be read, at both of its ends and on its buttons`, () => {
    const { ink, paper, from, to } = variablesOf(name);
    expect(contrast(ink, from)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(ink, to)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5);
  });
}
