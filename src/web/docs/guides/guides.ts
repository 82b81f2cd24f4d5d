import { callsMax, callsSeconds, freeCallsMax, streamsMax, waitsMax } from "../../../contract/limits.ts";
import { sandboxOrdersDay, sandboxOrdersMinute, sandboxOrdersWaiting } from "../../../contract/sandbox.ts";
import type { DocsKey, Holes } from "../../../i18n/t.ts";
import type { DocsPage } from "../../paths.ts";
import { eventSamples, webhookSample } from "../eventSamples.ts";
import type { toolSamples } from "./samples/toolSamples.ts";

/** A part of a guide, for the page and for the text in Markdown. */
export type Block =
  | { readonly kind: "text"; readonly text: DocsKey; readonly holes?: Holes }
  | { readonly kind: "code"; readonly title: DocsKey; readonly text: string }
  | { readonly kind: "tool"; readonly tool: keyof typeof toolSamples }
  | { readonly kind: "common" | "errors" | "checks" | "limited" | "programs" | "sandbox" | "changes" };

export interface Guide {
  readonly id: string;
  readonly title: DocsKey;
  readonly blocks: readonly Block[];
}

const text = (key: DocsKey, holes?: Holes): Block => ({
  kind: "text",
  text: key,
  ...(holes ? { holes } : {}),
});

const tool = (name: keyof typeof toolSamples): Block => ({ kind: "tool", tool: name });

const bodies = Object.entries(eventSamples)
  .map(([name, body]) => `event: ${name}\n${JSON.stringify(body, null, 2)}`)
  .join("\n\n");

const limits = {
  calls: callsMax,
  seconds: callsSeconds,
  waits: waitsMax,
  streams: streamsMax,
  free: freeCallsMax,
};
const sandboxLimits = {
  minute: sandboxOrdersMinute,
  day: sandboxOrdersDay,
  waiting: sandboxOrdersWaiting,
};

export const guides: Partial<Record<DocsPage, readonly Guide[]>> = {
  sandbox: [
    {
      id: "guide-sandbox",
      title: "docs.guide.sandbox",
      blocks: [
        text("docs.guide.sandbox.text"),
        { kind: "sandbox" },
        text("docs.guide.sandbox.limits", sandboxLimits),
      ],
    },
  ],
  errors: [
    {
      id: "guide-errors",
      title: "docs.guide.errors",
      blocks: [text("docs.guide.errors.text"), { kind: "common" }],
    },
    {
      id: "guide-limits",
      title: "docs.guide.limits",
      blocks: [text("docs.guide.limits.text", limits)],
    },
    { id: "all-errors", title: "docs.guide.errors.all", blocks: [{ kind: "errors" }] },
  ],
  events: [
    {
      id: "guide-events",
      title: "docs.guide.events",
      blocks: [
        text("docs.guide.events.text"),
        text("docs.guide.events.resume"),
        text("docs.guide.events.kinds"),
        { kind: "code", title: "docs.guide.events.bodies", text: bodies },
      ],
    },
  ],
  webhooks: [
    {
      id: "guide-webhooks",
      title: "docs.guide.webhooks",
      blocks: [
        text("docs.guide.webhooks.text"),
        text("docs.guide.webhooks.kinds"),
        { kind: "code", title: "docs.guide.webhooks.message", text: webhookSample },
        text("docs.guide.webhooks.accept"),
        text("docs.guide.webhooks.check"),
        { kind: "checks" },
        { kind: "programs" },
      ],
    },
  ],
  tokens: [
    {
      id: "guide-limited-tokens",
      title: "docs.guide.tokens",
      blocks: [
        text("docs.guide.tokens.text"),
        { kind: "limited" },
        text("docs.guide.tokens.refused"),
        { kind: "programs" },
      ],
    },
  ],
  testing: [
    {
      id: "guide-testing",
      title: "docs.guide.testing",
      blocks: [
        text("docs.guide.testing.text"),
        tool("playwrightConfig"),
        tool("playwright"),
        text("docs.guide.testing.attempts"),
        tool("vitest"),
      ],
    },
    {
      id: "guide-assistants",
      title: "docs.guide.assistants",
      blocks: [text("docs.guide.assistants.text"), tool("assistant"), { kind: "programs" }],
    },
  ],
  changelog: [{ id: "changes", title: "docs.changes", blocks: [{ kind: "changes" }] }],
};
