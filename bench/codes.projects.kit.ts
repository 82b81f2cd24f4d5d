// Reads the mails of public projects from their repositories, as they are there: templates and translations. Nothing of them is kept here.
import { devise, flaskSecurity, goTrue, matrixService, vaultwarden } from "./codes.mails.kit.ts";
import { authelia, authgear, bitwarden } from "./codes.templates.kit.ts";
import { emailAuth, fider, rallly } from "./codes.translated.kit.ts";
import { Repository, translationsOf, written, type Written } from "./codes.written.kit.ts";

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
  "templates/emails": matrixService,
  "flask_security/translations": flaskSecurity,
  "src/static/templates/email": vaultwarden,
  "internal/mailer/templatemailer": goTrue,
  "rails/locales": devise,
  "resources/authgear/templates": authgear,
  "src/Core/MailTemplates/Handlebars": bitwarden,
  "internal/templates/embed/notification": authelia,
  "views/email": fider,
  "packages/emails/locales": rallly,
  "includes/AccountRecovery": emailAuth,
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
