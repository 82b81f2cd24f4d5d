import type { Endpoint } from "../../contract/endpoint.ts";

/** The command that makes a call: parameters that are secrets go in the body, the token in a header. */
export function curlOf(endpoint: Endpoint, ask: Record<string, string>, base: string): string {
  // A stream is read as it comes, and a file is kept.
  const parts: string[] = endpoint.carried === "events" ? ["-N"] : endpoint.carried === "csv" ? ["-OJ"] : [];
  if (endpoint.access !== "anyone") parts.push('-H "Authorization: Bearer $TOKEN"');
  const given = Object.entries(ask);
  const posted = endpoint.method === "POST" || "password" in ask || "code" in ask;
  if (posted) {
    // A form is always a POST for curl.
    parts.push(...given.map(([name, value]) => `-d '${name}=${value}'`), `"${base}${endpoint.path}"`);
  } else {
    const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
    parts.push(`"${base}${endpoint.path}${query.length > 0 ? `?${query.join("&")}` : ""}"`);
  }
  return `curl ${parts.join(" \\\n  ")}`;
}
