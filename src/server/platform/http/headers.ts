/** Headers of every answer. Pages have a policy of their own for referrers. */
export const commonHeaders = (publicUrl: string): Record<string, string> => ({
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Without TLS the browser would ignore it; behind TLS it must not be missing.
  ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});
