/** Headers of every answer. Pages set a referrer policy of their own. */
export const commonHeaders = (publicUrl: string): Record<string, string> => ({
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Browsers ignore it without TLS.
  ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
});
