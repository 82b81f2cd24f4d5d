import type { Request } from "./request.ts";

/** The command of a shell that makes a call. */
export function curlOf({ method, address, query, form, headers, file, token, answer }: Request): string {
  // A stream is read as it comes, and a file is kept.
  const parts = answer === "events" ? ["-N"] : answer === "csv" ? ["-OJ"] : [];
  // With a form it is a POST by itself.
  if (method === "POST" && form.length === 0) parts.push("-X POST");
  if (token !== "none") {
    const written = token === "environment" ? "$TOKEN" : token.written;
    parts.push(`-H "Authorization: Bearer ${written}"`);
  }
  parts.push(...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`));
  // Not read into memory first, as --data-binary does.
  if (file !== undefined) parts.push(`-T ${file}`);
  parts.push(...form.map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`));
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  parts.push(`"${address}${search.length > 0 ? `?${search.join("&")}` : ""}"`);
  return `curl ${parts.join(" \\\n  ")}`;
}

/** A word that the shell takes as it is. */
const inShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
