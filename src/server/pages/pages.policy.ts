import { commonHeaders } from "../platform/http/headers.ts";

/** Which captcha the pages show; the services' scripts and frames must be let in. */
export interface PagesCaptcha {
  readonly kind: "altcha" | "recaptcha" | "turnstile" | "hcaptcha" | "off";
  readonly siteKey?: string;
}

const hosts: Record<PagesCaptcha["kind"], string> = {
  altcha: "",
  off: "",
  recaptcha: " https://www.google.com https://www.gstatic.com",
  turnstile: " https://challenges.cloudflare.com",
  hcaptcha: " https://hcaptcha.com https://*.hcaptcha.com",
};

/**
 * The security headers of every page, made once. Scripts come from here only. Styles may be written inline, because
 * the frame that shows a letter inherits this policy and letters are drawn with inline styles; scripts stay shut there.
 */
export function securityHeaders(publicUrl: string, captcha: PagesCaptcha): Record<string, string> {
  const service = hosts[captcha.kind];
  const policy = [
    "default-src 'self'",
    `script-src 'self'${service}`,
    `style-src 'self' 'unsafe-inline'${service}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${service}`,
    `frame-src 'self'${service}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  return {
    ...commonHeaders(publicUrl),
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
  };
}
