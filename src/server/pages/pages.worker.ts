import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import { fontsOf, type Manifest, stylesOf } from "./pages.document.ts";

const ownFiles = ["/theme.js", "/offline.js", "/favicon.svg"];

interface WorkerParts {
  readonly dist: string;
  readonly manifest: Manifest;
  readonly offlinePages: readonly Buffer[];
  readonly files: readonly string[];
}

/** The service worker with its file list: its text changes with any of the files, which is how browsers detect a new version. */
export function writeWorker({ dist, manifest, offlinePages, files }: WorkerParts): string {
  // The build marks every file as a module; a worker without imports runs as a plain script in every browser.
  const code = readFileSync(join(dist, "ssr/worker.js"), "utf8").replace(/\nexport \{\};\s*$/, "");
  const languages: Language[] = [
    defaultLanguage,
    ...languageCodes.filter((language) => language !== defaultLanguage),
  ];
  const built = [...stylesOf(manifest, ["index.html", ...files]), ...fontsOf(manifest, defaultLanguage)];
  const kept = [
    ...languages.map((language) => `/${language}/offline`),
    ...ownFiles,
    ...built.map((file) => `/${file}`),
  ];
  const version = createHash("sha256").update(code).update(kept.join("\n"));
  for (const page of offlinePages) version.update(page);
  for (const file of ownFiles) version.update(readFileSync(join(dist, "client", file)));
  const settings = { version: version.digest("base64url").slice(0, 12), languages, files: kept };
  return `const kept = ${JSON.stringify(settings)};\n${code}`;
}
