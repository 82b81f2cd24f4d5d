import { isTextOnly } from "../../contract/endpoint.ts";
import { sandboxCode } from "../../contract/sandbox.ts";
import type { DocsKey, PublicKey, Translator } from "../../i18n/t.ts";
import type { Language } from "../../i18n/languages.ts";
import { type DocsPage, docsPages, paths } from "../paths.ts";
import { again, calls, common, type DocumentedCall, type DocumentedRefusal } from "./calls.ts";
import { changes } from "./guides/changes.ts";
import { answerOf } from "./eventSamples.ts";
import { type Block, guides } from "./guides/guides.ts";
import { filledWith } from "./sampleValues.ts";
import { signatureChecks } from "./guides/signatureSamples.ts";
import { toolSamples } from "./guides/samples/toolSamples.ts";
import { languages } from "./snippets/languages.ts";
import { requestOf } from "./snippets/request.ts";
import { startSamples, tokenSample } from "./start/startSamples.ts";
import {
  againText,
  callName,
  callText,
  formText,
  meaningText,
  notes,
  pageAbout,
  pageName,
  sandboxTexts,
  wayTexts,
} from "./texts.ts";

interface Shown {
  readonly t: Translator<DocsKey | PublicKey>;
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
export function llmsText({ t, language, publicUrl }: Shown): string {
  const entry = (page: DocsPage) =>
    `[${t(pageName(page))}](${publicUrl}${paths.docs(language, "start")}/${page}.md): ${t(pageAbout(page))}`;
  return `# Postern

> ${t("meta.docs.description")}

${t("docs.lead")} ${t("docs.token.text")}

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

function headOf({ t, publicUrl }: Shown): string[] {
  return [
    `# ${t("docs.title")}`,
    t("docs.lead"),
    list([
      `${t("docs.base")}: ${publicUrl}`,
      `${t("docs.token")}: ${t("docs.token.text")}`,
      `${t("docs.machine")}: ${publicUrl}/openapi.json`,
    ]),
  ];
}

function pageText(shown: Shown, page: DocsPage): string[] {
  const { t } = shown;
  const parts = guides[page]?.flatMap(({ title, blocks }) => [
    `### ${t(title)}`,
    ...blocks.map((block) => blockText(shown, block)),
  ]);
  return [
    `## ${t(pageName(page))}`,
    ...(page === "start" ? startText(shown) : [t(pageAbout(page))]),
    ...(parts ?? []),
    ...calls.filter((call) => call.page === page).flatMap((call) => callParts(shown, call)),
  ].filter((part) => part !== "");
}

function startText({ t, publicUrl, domains }: Shown): string[] {
  const domain = domains[0]?.name ?? "letters.test";
  return [
    `### ${t("docs.start")}`,
    `1. ${t("docs.start.token")}. ${t("docs.start.token.text")}`,
    fenced("curl", tokenSample()),
    `2. ${t("docs.start.run")}. ${t("docs.start.run.text", { code: sandboxCode })}`,
    ...Object.entries(startSamples).map(([id, { write }]) => fenced(id, write({ base: publicUrl, domain }))),
    t("docs.start.client"),
    `3. ${t("docs.start.next")}. ${t("docs.start.next.text")}`,
  ];
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
  const { t } = shown;
  switch (block.kind) {
    case "text":
      return t(block.text, block.holes);
    case "code":
      return `${t(block.title)}:\n\n${fenced("text", block.text)}`;
    case "tool": {
      const { title, language, write } = toolSamples[block.tool];
      const domain = shown.domains[0]?.name ?? "letters.test";
      return `${code(title)}:\n\n${fenced(language, write({ base: shown.publicUrl, domain }))}`;
    }
    case "common":
      return list(common.map((value) => refusalText(shown, value)));
    case "errors":
      return list((Object.keys(again) as DocumentedRefusal[]).map((value) => refusalText(shown, value)));
    case "checks":
      return Object.entries(signatureChecks)
        .map(([id, { text }]) => fenced(id, text))
        .join("\n\n");
    case "limited":
      return `${t("docs.guide.tokens.calls")}: ${calls
        .filter(({ limited }) => limited)
        .map(({ path }) => code(path))
        .join(", ")}`;
    case "programs":
      return "";
    case "sandbox":
      return list(Object.entries(sandboxTexts).map(([site, does]) => `${code(site)}: ${t(does)}`));
    case "changes":
      return changesText(shown);
  }
}

function refusalText({ t }: Shown, value: DocumentedRefusal): string {
  const way = wayTexts[value];
  return `${code(value)}: ${meaningText(t, value)} ${t(way ?? againText(value))}`;
}

function changesText({ t }: Shown): string {
  const lines = changes.map(({ day, added, more }) => {
    const named = added.map(({ name, path }) => `${t(callName(name))} (${code(path)})`).join(", ");
    const parts = [
      ...(named === "" ? [] : [`${t("docs.changes.calls")} ${named}`]),
      ...more.map((key) => t(key)),
    ];
    return `${day}\n${parts.map((part) => `  - ${part}`).join("\n")}`;
  });
  return list(lines);
}
