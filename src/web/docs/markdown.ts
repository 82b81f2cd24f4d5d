import { isTextOnly } from "../../contract/endpoint.ts";
import type { DocsKey, PublicKey, Translator } from "../../i18n/t.ts";
import type { Language } from "../../i18n/languages.ts";
import { type DocsPage, docsPages, paths } from "../paths.ts";
import { again, calls, common, type DocumentedCall, type DocumentedRefusal } from "./calls.ts";
import { changesOf } from "./guides/changes.ts";
import { answerOf, bodiesSample, webhookSample } from "./eventSamples.ts";
import type { Block, Directive, Guides, Item } from "./guides/parse.ts";
import { filledWith } from "./sampleValues.ts";
import { signatureChecks } from "./guides/signatureSamples.ts";
import { toolSamples } from "./guides/samples/toolSamples.ts";
import { languages } from "./snippets/languages.ts";
import { requestOf } from "./snippets/request.ts";
import { startSamples, tokenSample } from "./start/startSamples.ts";
import { againText, callName, callText, formText, meaningText, notes } from "./texts.ts";

interface Shown {
  readonly t: Translator<DocsKey | PublicKey>;
  readonly guides: Guides;
  readonly language: Language;
  readonly publicUrl: string;
  readonly domains: readonly { name: string }[];
}

/** Names of code fences that differ from ours. */
const fences: Readonly<Record<string, string>> = { curl: "sh", text: "" };
const fenced = (language: string, text: string) => `\`\`\`${fences[language] ?? language}\n${text}\n\`\`\``;
const code = (text: string) => `\`${text}\``;
const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

/** The documentation, or one page of it, in Markdown: the same sentences, parameters and samples as the pages. */
export function docsMarkdown(shown: Shown, only?: DocsPage): string {
  const pages = only === undefined ? docsPages : [only];
  const head = only === undefined ? headOf(shown) : [];
  return `${[...head, ...pages.flatMap((page) => pageText(shown, page))].join("\n\n")}\n`;
}

/** The index for language models (llmstxt.org): what the shop is, and where each page is as Markdown. */
export function llmsText({ t, guides, language, publicUrl }: Shown): string {
  const entry = (page: DocsPage) =>
    `[${guides[page].title}](${publicUrl}${paths.docs(language, "start")}/${page}.md): ${guides[page].about}`;
  return `# Postern

> ${t("meta.docs.description")}

${guides.start.about} ${t("docs.token.text")}

${t("docs.base")}: ${publicUrl}

## ${t("docs.title")}

${list(docsPages.map(entry))}

## ${t("docs.machine.title")}

${list([
  `[${t("docs.markdown")}](${publicUrl}/docs.md)`,
  `[OpenAPI](${publicUrl}/openapi.json): ${t("docs.machine")}`,
])}
`;
}

function headOf({ t, guides, publicUrl }: Shown): string[] {
  return [
    `# ${t("docs.title")}`,
    guides.start.about,
    list([
      `${t("docs.base")}: ${publicUrl}`,
      `${t("docs.token")}: ${t("docs.token.text")}`,
      `${t("docs.machine")}: ${publicUrl}/openapi.json`,
    ]),
  ];
}

function pageText(shown: Shown, page: DocsPage): string[] {
  const { title, about, sections } = shown.guides[page];
  const blocksText = (blocks: readonly Block[]) => blocks.map((block) => blockText(shown, block));
  return [
    `## ${title}`,
    // The head of the whole begins with that of the first page.
    ...(page === "start" ? [] : [about]),
    ...sections.flatMap((section) => [
      `### ${section.title}`,
      ...blocksText(section.blocks),
      ...section.steps.flatMap((step, at) => [`#### ${at + 1}. ${step.title}`, ...blocksText(step.blocks)]),
    ]),
    ...calls.filter((call) => call.page === page).flatMap((call) => callParts(shown, call)),
  ].filter((part) => part !== "");
}

function callParts(shown: Shown, call: DocumentedCall): string[] {
  const { t, publicUrl, domains } = shown;
  const note = notes[call.name];
  const fill = filledWith({ site: "", domains: domains.map(({ name }) => name), id: "" });
  const methods = call.alsoPost ? "GET, POST" : call.method;
  const isText = isTextOnly(call);
  return [
    `### ${t(callName(call.name))} (${call.id})`,
    code(`${methods} ${call.path}`) + accessText(shown, call),
    t(callText(call.name)),
    note === undefined ? "" : t(note),
    parametersText(shown, call),
    `${t("docs.request")}:`,
    fenced("curl", languages.curl.write(requestOf(call, fill(call.example.ask), publicUrl))),
    `${t("docs.answer")}:`,
    fenced(isText ? "text" : "json", answerOf(call)),
    `${t("docs.errors")}: ${[...new Set([...call.refusals, ...common])].map(code).join(", ")}`,
  ];
}

function accessText({ t }: Shown, { access, limited }: DocumentedCall): string {
  const words = [
    ...(access === "anyone" ? [t("docs.access.anyone")] : []),
    ...(access === "active" ? [t("docs.access.active")] : []),
    ...(limited ? [t("docs.access.limited")] : []),
  ];
  return words.length === 0 ? "" : ` (${words.join("; ")})`;
}

function parametersText({ t }: Shown, call: DocumentedCall): string {
  const parameters = Object.entries(call.ask);
  if (parameters.length === 0) {
    const none = t(call.access === "anyone" ? "docs.parameters.noneAtAll" : "docs.parameters.none");
    return `${t("docs.parameters")}: ${none}`;
  }
  const lines = parameters.map(([name, { form, optional, text, header }]) => {
    const shown = call.file ? (header ?? name) : name;
    const words = "of" in form ? ` ${form.of.map(code).join(" ")}` : "";
    const need = t(optional ? "docs.optional" : "docs.required");
    return `${code(shown)} (${need}; ${formText(t, form)}${words}): ${t(text)}`;
  });
  return `${t("docs.parameters")}:\n\n${list(lines)}`;
}

function blockText(shown: Shown, block: Block): string {
  if (typeof block === "string") return block;
  const start = { base: shown.publicUrl, domain: shown.domains[0]?.name ?? "letters.test" };
  switch (block.kind) {
    case "table":
      return [block.head, block.head.map(() => "---"), ...block.rows]
        .map((row) => `| ${row.join(" | ")} |`)
        .join("\n");
    case "token":
      return fenced("curl", tokenSample());
    case "program":
      return Object.entries(startSamples)
        .map(([id, { write }]) => fenced(id, write(start)))
        .join("\n\n");
    case "typescript":
      return block.label;
    case "events":
      return `${block.label}:\n\n${fenced("text", bodiesSample)}`;
    case "message":
      return `${block.label}:\n\n${fenced("text", webhookSample)}`;
    case "common":
      return list(common.map((value) => refusalText(shown, value)));
    case "errors":
      return list(
        (Object.keys(again) as DocumentedRefusal[]).map((value) => refusalText(shown, value, block.items)),
      );
    case "checks":
      return Object.entries(signatureChecks)
        .map(([id, { text }]) => fenced(id, text))
        .join("\n\n");
    case "limited":
      return `${block.label}: ${calls
        .filter(({ limited }) => limited)
        .map(({ path }) => code(path))
        .join(", ")}`;
    case "programs":
      return "";
    case "changes":
      return changesText(shown, block);
    default: {
      const { title, language, write } = toolSamples[block.kind];
      return `${code(title)}:\n\n${fenced(language, write(start))}`;
    }
  }
}

function refusalText({ t }: Shown, value: DocumentedRefusal, ways: readonly Item[] = []): string {
  const way = ways.find(({ name }) => name === value)?.text ?? t(againText(value));
  return `${code(value)}: ${meaningText(t, value)} ${way}`;
}

function changesText({ t }: Shown, { label, items }: Directive): string {
  const lines = changesOf(items).map(({ day, added, more }) => {
    const named = added.map(({ name, path }) => `${t(callName(name))} (${code(path)})`).join(", ");
    const parts = [...(named === "" ? [] : [`${label} ${named}`]), ...more];
    return `${day}\n${parts.map((part) => `  - ${part}`).join("\n")}`;
  });
  return list(lines);
}
