import type { Request } from "./request.ts";

export function curlOf({ method, address, query, form, headers, file, token, answer }: Request): string {
  // A stream prints as it comes; a file is saved.
  const parts = answer === "events" ? ["-N"] : answer === "file" ? ["-OJ"] : [];
  // A form makes it a POST already.
  if (method === "POST" && form.length === 0) parts.push("-X POST");
  if (token !== "none") {
    const written = token === "environment" ? "$TOKEN" : token.written;
    parts.push(`-H "Authorization: Bearer ${written}"`);
  }
  parts.push(...headers.map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`));
  // Streams the file; --data-binary would read it into memory.
  if (file !== undefined) parts.push(`-T ${file}`);
  parts.push(...form.map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`));
  const search = query.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  parts.push(`"${address}${search.length > 0 ? `?${search.join("&")}` : ""}"`);
  return `curl ${parts.join(" \\\n  ")}`;
}

const inShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
