// Texts that are not translated yet are said in English: a new one compiles and runs before its translations are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));

/** A catalogue with the English text of each key that it lacks. */
export const filledCatalogue = (path) => ({ ...read(join(dirname(path), "en.json")), ...read(path) });

/** For Vite and Vitest. */
export const catalogues = {
  name: "catalogues",
  enforce: "pre",
  load: {
    filter: { id: /\/i18n\/(?:[a-z]+\/)?[a-z]{2}\.json$/ },
    handler(path) {
      this.addWatchFile(join(dirname(path), "en.json"));
      return JSON.stringify(filledCatalogue(path));
    },
  },
};

/** What is not translated yet in `folder` (i18n) and the folders in it: "ru: refusal.site". */
export function untranslated(folder) {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...folders.map(({ name }) => join(folder, name))].flatMap((part) => {
    if (!existsSync(join(part, "en.json"))) return [];
    const keys = Object.keys(read(join(part, "en.json")));
    return readdirSync(part)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => {
        const own = read(join(part, name));
        return keys.filter((key) => !(key in own)).map((key) => `${name.replace(".json", "")}: ${key}`);
      });
  });
}
