// Reads the mails of public projects from their repositories, as they are there: templates and translations. Nothing of them is kept here.
import { execFileSync } from "node:child_process";

/** A letter as a project would send it. `code` and `link`: what must be found; undefined when there is none. */
export interface Written {
  readonly project: string;
  readonly language: string;
  readonly name: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly code?: string | undefined;
  readonly link?: string | undefined;
}

/** One repository: a working copy or a bare one. */
class Repository {
  readonly #folder: string;
  readonly names: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.names = this.#git("ls-tree", "-r", "HEAD", "--name-only").split("\n");
  }

  read(name: string): string {
    return this.#git("show", `HEAD:${name}`);
  }

  matching(pattern: RegExp): readonly RegExpMatchArray[] {
    return this.names.map((name) => name.match(pattern)).filter((match) => match !== null);
  }

  #git(...words: string[]): string {
    return execFileSync("git", ["-C", this.#folder, ...words], { encoding: "utf8", maxBuffer: 2 ** 28 });
  }
}

let made = 0;

/** Codes in the forms that sites use, never the same twice. */
function newCode(): string {
  made += 1;
  const digits = String(10_000_000 + ((made * 7_368_787) % 89_999_999));
  const forms = [digits.slice(0, 6), digits.slice(0, 6), digits.slice(0, 4), digits.slice(0, 8), mixed(made)];
  const form = forms[made % forms.length] ?? "";
  // No code of a site is a year.
  return /^(19|20)..$/.test(form) ? digits.slice(4, 8).replace(/^(19|20)/, "73") : form;
}

const mixed = (seed: number): string => {
  const signs = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const at = (place: number) => signs[(seed * (place * 2 + 13) + place * 7) % signs.length] ?? "A";
  return `${at(1)}${seed % 10}${at(2)}${at(3)}${(seed * 3) % 10}${at(4)}`;
};

const newLink = (): string =>
  `https://app.example/verify?token=${mixed(made + 1)}${(made * 99_991).toString(36)}x7f3a9c1e5b2d`;

/** What else stands in holes: numbers among it that are no codes. */
const others: readonly [RegExp, string][] = [
  [/year/i, "2026"],
  [/date|timestamp/i, "14 March 2026, 14:05"],
  [/time(?!out)|expire|ttl|minutes|lifetime/i, "15"],
  [/ip/i, "203.0.113.7"],
  [/email|address/i, "ann@example.com"],
  [/user|name|hello/i, "Ann"],
  [/browser|agent|device|os$/i, "Firefox 142"],
  [/phrase/i, "Calm River Stone"],
  [/count|number|size/i, "4821"],
  [/country/i, "Iceland"],
];

const holeOf = (name: string): string => others.find(([pattern]) => pattern.test(name))?.[1] ?? "Example";

/** Fills `{{ .Name }}`, `{{name}}`, `%(name)s` and `${name}`. */
function fill(text: string, code: string, link: string): string {
  return text.replaceAll(
    /\{\{-?\s*\.?([\w.]+)[^}]*\}\}|%\(([\w.]+)\)s|\$\{([\w.]+)\}/g,
    (_all, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 3).find((each) => each !== undefined) ?? "";
      if (/^(b|\/b)$/.test(name)) return "";
      if (/(code|otp|passcode|token)$/i.test(name)) return code;
      if (/url|link|redirect/i.test(name)) return link;
      return holeOf(name);
    },
  );
}

type Texts = Omit<Written, "project" | "code" | "link">;

/** A letter of texts with holes: what stands in it is what must be found. */
function written(project: string, letter: Texts): Written {
  const [code, link] = [newCode(), newLink()];
  const done = (text: string | undefined) => (text === undefined ? undefined : fill(text, code, link));
  const [subject = "", text, html] = [done(letter.subject), done(letter.text), done(letter.html)];
  const body = (text ?? html ?? "").replaceAll(link, "");
  const isLinked = (text ?? html ?? "").includes(link);
  return {
    ...letter,
    project,
    subject,
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    code: body.includes(code) ? code : undefined,
    link: isLinked ? link : undefined,
  };
}

function kratos(repository: Repository): Written[] {
  return repository
    .matching(/^(courier\/template\/courier\/builtin\/templates\/(.+))\/email\.body\.plaintext\.gotmpl$/)
    .map(([file, folder = "", name = ""]) => {
      const subject = repository.read(`${folder}/email.subject.gotmpl`).trim();
      return written("Ory Kratos", { language: "en", name, subject, text: repository.read(file ?? "") });
    });
}

function hanko(repository: Repository): Written[] {
  const templates = repository.matching(/^backend\/mail\/templates\/(.+)\.txt\.tmpl$/);
  return repository
    .matching(/^backend\/mail\/locales\/passcode\.(.+)\.yaml$/)
    .flatMap(([file = "", language = ""]) => {
      const texts = new Map(
        [
          repository.read(file),
          repository.read(file.replace("passcode.", "security-notifications.")),
        ].flatMap((yaml) =>
          [...yaml.matchAll(/^(\w+):(?:\n {2}.*)*?\n {2}other: ["']?(.*?)["']?$/gm)].map(
            ([, key = "", text = ""]) => [key, text] as const,
          ),
        ),
      );
      return templates.map(([name_ = "", name = ""]) => {
        const text = repository
          .read(name_)
          .replaceAll(/\{\{-?\s*t "(\w+)"[^}]*\}\}/g, (_all, key: string) => texts.get(key) ?? "")
          .replaceAll(/\{\{-?\s*(?:define|end|template|if|else)[^}]*\}\}/g, "");
        const subject = texts.get(`subject_${name}`) ?? texts.get(`email_subject_${name}`) ?? "";
        return written("Hanko", { language, name, subject, text });
      });
    });
}

function allauth(repository: Repository): Written[] {
  const messages = repository.matching(/^(allauth\/templates\/\w+\/email\/(\w+))_message\.txt$/);
  const frame = {
    message: "allauth/templates/account/email/base_message.txt",
    note: "allauth/templates/account/email/base_notification.txt",
  };
  const base = repository.read(frame.message);
  const notification = repository.read(frame.note);
  return repository
    .matching(/^allauth\/locale\/(\w+)\/LC_MESSAGES\/django\.po$/)
    .flatMap(([po = "", language = ""]) => {
      const texts = translationsOf(repository.read(po));
      const plain = (template: string) =>
        template
          .replaceAll(
            /\{%-? blocktrans(?:late)?[^%]*%\}([\s\S]*?)\{% endblocktrans(?:late)? %\}/g,
            (_all, text: string) => {
              const key = text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, "%($1)s");
              return texts.get(key) ?? texts.get(key.trim()) ?? text;
            },
          )
          .replaceAll(/\{% else %\}[\s\S]*?\{% endif %\}/g, "")
          .replaceAll(/\{%[^%]*%\}/g, "");
      return messages
        .filter(([, path = ""]) => !path.endsWith("/base"))
        .map(([file = "", path = "", name = ""]) => {
          const own = repository.read(file);
          const block =
            /\{% block (?:content|notification_message) %\}([\s\S]*)\{% endblock/.exec(own)?.[1] ?? own;
          const whole = own.includes("base_notification")
            ? notification.replace(
                /\{% block notification_message %\}[\s\S]*?\{% endblock notification_message ?%\}/,
                block,
              )
            : block;
          const inner = /\{% block content %\}([\s\S]*)\{% endblock %\}/.exec(whole)?.[1] ?? whole;
          const text = plain(base.replace("{% block content %}{% endblock content %}", inner));
          return written("django-allauth", {
            language,
            name,
            subject: plain(repository.read(`${path}_subject.txt`)).trim(),
            text,
          });
        });
    });
}

/** The translations of a PO file that are finished, by their source text. */
function translationsOf(po: string): ReadonlyMap<string, string> {
  const joined = (lines: string) =>
    [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .map(([, part = ""]) => part)
      .join("")
      .replaceAll(String.raw`\n`, "\n")
      .replaceAll(String.raw`\"`, '"');
  const texts = new Map<string, string>();
  for (const entry of po.split(/\n\n/)) {
    const match = /^msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)/m.exec(`${entry}\n`);
    if (!match || /^#,.*fuzzy/m.test(entry)) continue;
    const [source, text] = [joined(match[1] ?? ""), joined(match[2] ?? "")];
    if (source !== "" && text !== "") texts.set(source, text);
  }
  return texts;
}

/** Which template shows the texts of a kind of mail. */
const appwriteKinds: Readonly<Record<string, string>> = {
  otpSession: "email-otp",
  mfaChallenge: "email-mfa-challenge",
  magicSession: "email-magic-url",
  verification: "email-inner-base",
  recovery: "email-inner-base",
  invitation: "email-inner-base",
  sessionAlert: "email-session-alert",
};

function appwrite(repository: Repository): Written[] {
  const folder = "app/config/locale/templates";
  return repository
    .matching(/^app\/config\/locale\/translations\/([\w-]+)\.json$/)
    .flatMap(([file = "", language = ""]) => {
      const texts = JSON.parse(repository.read(file)) as Record<string, string>;
      return Object.entries(appwriteKinds).flatMap(([kind, template]) => {
        const of = (key: string) => texts[`emails.${kind}.${key}`];
        const subject = of("subject");
        if (subject === undefined) return [];
        const html = repository
          .read(`${folder}/${template}.tpl`)
          .replaceAll(
            /\{\{(\w+)\}\}/g,
            (hole, key: string) => of(key) ?? (/^(otp|redirect)$/.test(key) ? hole : ""),
          );
        return [written("Appwrite", { language, name: kind, subject, html })];
      });
    });
}

/** Mails as constants of a program: `${title}` and a text with a code in it. */
function logto(repository: Repository): Written[] {
  const found = repository
    .matching(
      /^packages\/connectors\/connector-[\w-]+\/(?:README\.md|docs\/config-template\.json|src\/constant\.ts)$/,
    )
    .flatMap(([file = ""]) =>
      [
        ...repository.read(file).matchAll(/["'`]((?:[^"'`\\\n]|\\.)*\{\{code\}\}(?:[^"'`\\\n]|\\.)*)["'`]/g),
      ].map(([, text = ""]) => text),
    );
  return [...new Set(found)].map((text, index) =>
    written("Logto", {
      language: "en",
      name: `constant ${index + 1}`,
      subject: "Logto",
      ...(/^<\w+[ >]/.test(text) ? { html: text } : { text }),
    }),
  );
}

const projects: Readonly<Record<string, (repository: Repository) => Written[]>> = {
  "courier/template/courier/builtin/templates": kratos,
  "backend/mail/locales": hanko,
  "allauth/locale": allauth,
  "app/config/locale/translations": appwrite,
  "packages/connectors/connector-kit": logto,
  "packages/connectors/connector-mailgun": logto,
};

/** The letters of the project whose repository is in `folder`; throws when it is none of those that can be read. */
export function lettersOf(folder: string): Written[] {
  const repository = new Repository(folder);
  const mark = Object.keys(projects).find((place) =>
    repository.names.some((name) => name.startsWith(`${place}/`)),
  );
  const read = mark === undefined ? undefined : projects[mark];
  if (!read) throw new Error(`${folder} is no repository whose mails are known here`);
  return read(repository);
}
