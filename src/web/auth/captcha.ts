import { api } from "../api.ts";

/** Fetches an ALTCHA challenge and solves it in a worker (about a second). Throws when either fails; the visitor may retry. */
export async function solveAltcha(): Promise<string> {
  const answer = await api.captchaChallenge({});
  if (!answer.ok) throw new Error(`no challenge: ${answer.value}`);
  const worker = new Worker(new URL("./captcha.worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise<string>((solved, failed) => {
      worker.addEventListener("message", (event: MessageEvent<string | null>) =>
        event.data === null ? failed(new Error("no solution in time")) : solved(event.data),
      );
      worker.addEventListener("error", (event) => failed(new Error(event.message)));
      worker.postMessage(answer.data);
    });
  } finally {
    worker.terminate();
  }
}

interface Widget {
  render: (place: HTMLElement, options: WidgetOptions) => string | number;
}

interface WidgetOptions {
  sitekey: string;
  theme: "light" | "dark";
  callback: (payload: string) => void;
  "expired-callback": () => void;
}

const services = {
  recaptcha: { global: "grecaptcha", script: "https://www.google.com/recaptcha/api.js" },
  turnstile: { global: "turnstile", script: "https://challenges.cloudflare.com/turnstile/v0/api.js" },
  hcaptcha: { global: "hcaptcha", script: "https://js.hcaptcha.com/1/api.js" },
} as const;

export type ServiceKind = keyof typeof services;

/** Loads a captcha service once and draws its widget; throws when the script does not load. */
export async function drawWidget(
  kind: ServiceKind,
  place: HTMLElement,
  options: WidgetOptions,
): Promise<void> {
  const { global, script } = services[kind];
  const widgetNow = () => (globalThis as Record<string, unknown>)[global] as Widget | undefined;
  if (!widgetNow()?.render) await loadScript(script);
  const widget = widgetNow();
  if (!widget) throw new Error(`${script} brought no ${global}`);
  widget.render(place, options);
}

function loadScript(address: string): Promise<void> {
  return new Promise((loaded, failed) => {
    // The services call this when they are ready, later than their script's load event.
    Object.assign(globalThis, { captchaReady: () => loaded() });
    const script = document.createElement("script");
    script.src = `${address}?onload=captchaReady&render=explicit`;
    script.addEventListener("error", () => failed(new Error(`${address} did not load`)));
    document.head.append(script);
  });
}
