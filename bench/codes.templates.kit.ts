// More projects for `npm run bench -- codes`: templates of HTML beside the same as text.
import { written, type Repository, type Written } from "./codes.written.kit.ts";

/** Without conditions and partials; of a choice only the first. */
const plain = (template: string) =>
  template
    .replace(/^\ufeff/, "")
    .replaceAll(/\{\{\{([^{}]*)\}\}\}/g, "{{$1}}")
    .replaceAll(/\{\{\w+Url\}\}/g, "https://vault.example/")
    .replaceAll(/\{\{\s*else\b[^}]*\}\}[\s\S]*?\{\{[/\s]*(?:end|if)\s*\}\}/g, "")
    .replaceAll(/\{\{[#/>][^}]*\}\}|\{\{-?\s*(?:if|end|range|define|with)\b[^}]*\}\}/g, "");

const bodyOf = (format: string, body: string) => (format === "html" ? { html: body } : { text: body });

export function authgear(repository: Repository): Written[] {
  const folder = "resources/authgear/templates";
  return repository
    .matching(/^resources\/authgear\/templates\/([\w-]+)\/messages\/(\w+(?:_email|_login_link))\.(html|txt)$/)
    .map(([file = "", language = "", name = "", format = ""]) => {
      const subjects = JSON.parse(repository.read(`${folder}/${language}/translation.json`)) as Record<
        string,
        string
      >;
      const key = `email.${name.replace(/_email$/, "").replaceAll("_", "-")}.subject`;
      const subject = (subjects[key] ?? "").replaceAll("{AppName}", "Example");
      const body = plain(repository.read(file)).replaceAll(/\{\{\s*template "[^}]*\}\}/g, "Example");
      return written("Authgear", {
        language,
        name: `${name}.${format}`,
        subject,
        ...bodyOf(format, body),
      });
    });
}

export function bitwarden(repository: Repository): Written[] {
  return repository
    .matching(/^src\/Core\/MailTemplates\/Handlebars\/(?!Layouts\/)(?:.+\/)?(\w+)\.(html|text)\.hbs$/)
    .map(([file = "", name = "", format = ""]) =>
      written("Bitwarden", {
        language: "en",
        name: `${name}.${format}`,
        subject: "Bitwarden",
        ...bodyOf(format, plain(repository.read(file))),
      }),
    );
}

const autheliaSubjects: Readonly<Record<string, string>> = {
  Event: "Password changed successfully",
  IdentityVerificationJWT: "Reset your password",
  IdentityVerificationOTC: "Confirm your identity",
};

export function authelia(repository: Repository): Written[] {
  return repository
    .matching(/^internal\/templates\/embed\/notification\/(\w+)\.(html|txt)$/)
    .map(([file = "", name = "", format = ""]) => {
      const body = plain(repository.read(file)).replaceAll(
        /\{\{\s*\.RevocationLinkURL\s*\}\}/g,
        "https://app.example/revoke?id=1",
      );
      const subject = autheliaSubjects[name] ?? name;
      return written("Authelia", {
        language: "en",
        name: `${name}.${format}`,
        subject,
        ...bodyOf(format, body),
      });
    });
}
