import type { Config } from "../config/config.ts";

/** Headers of every answer. Pages set a referrer policy of their own. */
export const commonHeaders = ({
  publicUrl,
  hstsSubdomains,
}: Pick<Config, "publicUrl" | "hstsSubdomains">): Record<string, string> => ({
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Browsers ignore it without TLS.
  ...(publicUrl.startsWith("https:") && {
    "strict-transport-security": `max-age=31536000${hstsSubdomains ? "; includeSubDomains" : ""}`,
  }),
});
