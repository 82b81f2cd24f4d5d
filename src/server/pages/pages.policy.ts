import type { PageSettings } from "../platform/config/config.ts";

/** Its scripts and frames must be allowed. */
type Captcha = PageSettings["captcha"];

const hosts: Record<Captcha["kind"], string> = {
  altcha: "",
  off: "",
  recaptcha: " https://www.google.com https://www.gstatic.com",
  turnstile: " https://challenges.cloudflare.com",
  hcaptcha: " https://hcaptcha.com https://*.hcaptcha.com",
};

/** Beside those of every answer. Scripts only from this origin. Inline styles are allowed, as the frame of a letter inherits this policy; scripts stay blocked there. */
export function securityHeaders(captcha: Captcha): Record<string, string> {
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
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
  };
}
