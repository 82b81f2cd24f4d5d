// More projects for `npm run bench -- codes`: their mails as they stand in their repositories.
import { translationsOf, written, type Repository, type Written } from "./codes.written.kit.ts";

type Texts = ReadonlyMap<string, string>;

/** The leaves of a JSON document, by their path. */
function leavesOf(value: unknown, path: string, leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value === "string") leaves.set(path, value);
  else if (value !== null && typeof value === "object")
    for (const [key, inner] of Object.entries(value)) leavesOf(inner, `${path}.${key}`, leaves);
  return leaves;
}

export function matrixService(repository: Repository): Written[] {
  return repository.matching(/^translations\/([\w-]+)\.json$/).flatMap(([file = "", language = ""]) => {
    const texts: Texts = leavesOf(JSON.parse(repository.read(file)), "");
    const of = (key: string) => texts.get(`.mas.emails.${key}`) ?? "";
    const project = "Matrix Authentication Service";
    const verify = [of("greeting"), of("verify.body_text")].join("\n\n");
    const html = `<p>${of("greeting")}</p><p>${of("verify.body_html")}</p>`;
    const recovery = [
      of("recovery.headline"),
      of("recovery.copy_link"),
      "{{link}}",
      of("recovery.you_can_ignore"),
    ];
    return [
      { name: "verification", subject: of("verify.subject"), text: verify },
      { name: "verification.html", subject: of("verify.subject"), html },
      { name: "recovery", subject: of("recovery.subject"), text: recovery.join("\n\n") },
    ]
      .filter(({ subject }) => subject !== "")
      .map((letter) => written(project, { language, ...letter }));
  });
}

const flaskSubjects: Readonly<Record<string, string>> = {
  change_email_instructions: "Confirm your new email address",
  confirmation_instructions: "Please confirm your email",
  login_instructions: "Login Instructions",
  reset_instructions: "Password reset instructions",
  reset_notice: "Your password has been reset",
  change_notice: "Your password has been changed",
  two_factor_instructions: "Two-factor Login",
  two_factor_rescue: "Two-factor Rescue",
  us_instructions: "Verification Code",
  username_recovery: "Your requested username",
};

export function flaskSecurity(repository: Repository): Written[] {
  const templates = repository.matching(/^flask_security\/templates\/security\/email\/(\w+)\.txt$/);
  const files = repository.matching(/^flask_security\/translations\/(\w+)\/LC_MESSAGES\/flask_security\.po$/);
  const languages: [string, Texts][] = [
    ["en", new Map()],
    ...files.map(([file = "", language = ""]): [string, Texts] => [
      language,
      translationsOf(repository.read(file)),
    ]),
  ];
  return languages.flatMap(([language, texts]) =>
    templates.map(([file = "", name = ""]) => {
      const said = (text: string) => texts.get(text) ?? text;
      const text = repository
        .read(file)
        .replaceAll(/\{#[\s\S]*?#\}|\{%[^%]*%\}/g, "")
        .replaceAll(/\{\{\s*_fsdomain\(\s*(["'])(.*?)\1[\s\S]*?\}\}/g, (_all, _quote, key: string) =>
          said(key),
        )
        .replaceAll(/^ +/gm, "");
      return written("Flask-Security", {
        language,
        name,
        subject: said(flaskSubjects[name] ?? "Welcome"),
        text,
      });
    }),
  );
}

export function vaultwarden(repository: Repository): Written[] {
  return repository
    .matching(/^src\/static\/templates\/email\/(?!email_)(\w+)\.hbs$/)
    .map(([file = "", name = ""]) => {
      const [subject = "", text = ""] = repository
        .read(file)
        .replaceAll(/\{\{\s*[>#/][^}]*\}\}|\{\{else\}\}/g, "")
        .replaceAll(/\{\{\{?url\}\}\}?\S*token=\S*/g, "{{link}}")
        .replaceAll(/\{\{\{?url\}\}\}?\S*/g, "https://vault.example/")
        .split("<!---------------->");
      return written("Vaultwarden", { language: "en", name, subject: subject.trim(), text: text.trim() });
    });
}

export function goTrue(repository: Repository): Written[] {
  const source = repository.read("internal/mailer/templatemailer/templatemailer.go");
  return [...source.matchAll(/const default(\w+) = `([^`]*)`/g)].map(([, name = "", body = ""]) => {
    const html = body.replaceAll(/\{\{\s*\.SiteURL\s*\}\}/g, "https://app.example");
    const subject = /<h2>(.*?)<\/h2>/.exec(html)?.[1] ?? name;
    return written("GoTrue", { language: "en", name, subject, html });
  });
}

/** The scalars of `devise.mailer` in a YAML file, as "letter.key". */
function deviseTexts(yaml: string): Texts {
  const texts = new Map<string, string>();
  let letter = "";
  let isMailer = false;
  for (const line of yaml.split("\n")) {
    const [, indent = "", key = "", value = ""] = /^( *)([\w-]+): ?(.*)$/.exec(line) ?? [];
    if (indent.length === 4) isMailer = key === "mailer";
    else if (indent.length === 6) letter = key;
    else if (indent.length === 8 && isMailer)
      texts.set(`${letter}.${key}`, value.replace(/^(["'])(.*)\1$/, "$2").replaceAll("''", "'"));
  }
  return texts;
}

export function devise(repository: Repository): Written[] {
  const linked = ["confirmation_instructions", "reset_password_instructions", "unlock_instructions"];
  return repository.matching(/^rails\/locales\/([\w-]+)\.yml$/).flatMap(([file = "", language = ""]) => {
    const texts = deviseTexts(repository.read(file));
    return [...linked, "password_change", "email_changed"].flatMap((name) => {
      const of = (key: string) => (texts.get(`${name}.${key}`) ?? "").replaceAll(/%\{(\w+)\}/g, "{{$1}}");
      const action = linked.includes(name) ? `<a href="{{link}}">${of("action")}</a>` : "";
      const said = [
        of("greeting"),
        of("message"),
        of("instruction"),
        action,
        of("instruction_2"),
        of("instruction_3"),
      ];
      const html = said.map((text) => `<p>${text}</p>`).join("\n");
      return of("subject") === ""
        ? []
        : written("devise-i18n", { language, name, subject: of("subject"), html });
    });
  });
}
