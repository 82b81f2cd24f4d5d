// More projects for `npm run bench -- codes`: layouts that their translations fill.
import { written, type Repository, type Written } from "./codes.written.kit.ts";

type Texts = Readonly<Record<string, string>>;

/** The translations of a JSON file in each language; what one lacks is English. */
function languagesOf(repository: Repository, pattern: RegExp): [string, Texts, Texts][] {
  const files = repository
    .matching(pattern)
    .map(([file = "", language = ""]): [string, Texts] => [
      language,
      JSON.parse(repository.read(file)) as Texts,
    ]);
  const english = files.find(([language]) => language === "en")?.[1] ?? {};
  return files.map(([language, texts]) => [language, { ...english, ...texts }, texts]);
}

const paragraphs = (...texts: string[]) =>
  texts
    .filter(Boolean)
    .map((text) => `<p style="margin:0 0 10px 0;">${text}</p>`)
    .join("\n");

export function fider(repository: Repository): Written[] {
  const page = '<a href="https://app.example/posts/4821/faster-search">Faster search</a>';
  const letters = {
    signin_email: ["text", "confirmation"],
    signup_email: ["text", "confirmation"],
    change_emailaddress: ["request"],
    delete_account_completed: ["text"],
    delete_post: ["text"],
    new_post: ["text"],
    new_comment: ["text"],
    change_status: ["others"],
  };
  return languagesOf(repository, /^locale\/([\w-]+)\/server\.json$/).flatMap(([language, texts]) => {
    const of = (key: string) =>
      (texts[`email.${key}`] ?? "")
        .replaceAll(/\{(?:title|postLink|duplicate|view|change|unsubscribe)\}/g, page)
        .replaceAll(/\{(\w+)\}/g, "{{$1}}");
    return Object.entries(letters).map(([name, keys]) => {
      const said = [of("greetings"), ...keys.map((key) => of(`${name}.${key}`))];
      if (name === "change_emailaddress") said.push(of("operation_confirmation"));
      const code =
        name === "signin_email"
          ? `<table width="100%"><tr><td align="center"><p><strong>${of(`${name}.your_code`)}</strong></p><div style="border:2px solid #dfe3e8;padding:20px;display:inline-block"><p style="font-size:36px;font-weight:bold;letter-spacing:8px;color:#1c262d;font-family:'Courier New',monospace">{{code}}</p></div><p style="font-size:12px">${of(`${name}.code_expires`)}</p></td></tr></table><p>${of(`${name}.alternative`)}<br /><br />{{link}}</p>`
          : "";
      const link = /signup|change_email/.test(name) ? '<p style="margin:0;">{{link}}</p>' : "";
      const html = `<table bgcolor="#F7F7F7">${paragraphs(...said)}${code}${link}<tr><td><span>${of("footer.noreply")}</span></td></tr></table>`;
      return written("Fider", { language, name, subject: of(`${name}.subject`) || "[Example] #4821", html });
    });
  });
}

export function rallly(repository: Repository): Written[] {
  const kinds =
    "register changeEmail resetPassword newComment newParticipant newPoll finalizeHost finalizeParticipant passwordAdded eventCanceled";
  const files = languagesOf(repository, /^packages\/emails\/locales\/([\w-]+)\/emails\.json$/);
  return files.flatMap(([language, texts]) =>
    kinds.split(" ").map((name) => {
      const of = (key: string) =>
        (texts[`${name}_${key}`] ?? texts[name + key.charAt(0).toUpperCase() + key.slice(1)] ?? "")
          .replaceAll(/<\/?(?:domain|a)\s*\/?>/g, "")
          .replaceAll(/\{(\w+)\}/g, "{{$1}}");
      const code =
        name === "register" || name === "changeEmail"
          ? '<p style="letter-spacing:2px;font-size:32px;font-weight:bold" id="code">{{code}}</p>'
          : "";
      const address = name === "resetPassword" ? "{{link}}" : "https://app.example/poll/a8Kd02mX";
      const button = of("button");
      const html = `<div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0">${of("preview")}</div>
<img src="https://app.example/logo.png" alt="Example"><h1>${of("heading")}</h1>${paragraphs(of("text") || of("content"))}${code}
${button === "" ? "" : `<a href="${address}" style="background:#4f46e5;color:#fff;padding:12px">${button}</a>`}${paragraphs(of("codeValid"))}<hr />
${paragraphs(name === "register" ? (texts["login_content2"] ?? "").replaceAll(/<[^>]*>/g, "").replaceAll(/\{(\w+)\}/g, "{{$1}}") : of("content2"))}`;
      return written("Rallly", { language, name, subject: of("subject") || "Example", html });
    }),
  );
}

export function emailAuth(repository: Repository): Written[] {
  const textFile = repository.read("templates/email-text.mustache");
  const htmlFile = repository.read("templates/email-html.mustache");
  return languagesOf(repository, /^i18n\/(?!qqq)([\w-]+)\.json$/).flatMap(([language, texts, own]) => {
    const of = (key: string, ...values: string[]) =>
      (texts[`emailauth-${key}`] ?? "")
        .replaceAll(/\$(\d)/g, (_all, place: string) => values[Number(place) - 1] ?? "")
        .replaceAll(/\{\{(?:GENDER|PLURAL):[^|}]*\|([^|}]*)[^}]*\}\}/gi, "$1")
        .replaceAll(/\{\{SITENAME\}\}/gi, "Example");
    const parts: Texts = {
      subject: of("email-subject", "Example"),
      intro: of("email-body-intro", "Ann", "Example"),
      "code-text": of("email-body-code-text"),
      warning: of("email-body-warning", "10 min"),
      "attack-heading": of("email-body-attack-heading", "Example"),
      "attack-p1": of("email-body-attack-p1"),
      "attack-p2": of("email-body-attack-p2"),
      "help-text": of("email-body-help-text", "https://www.example/wiki/Help:Extension:EmailAuth"),
      "help-html": of("email-body-help-text", '<a href="https://www.example/wiki/Help">help</a>'),
    };
    const fill = (template: string) =>
      template.replaceAll(/\{\{\{?([\w-]+)\}?\}\}/g, (hole, key: string) => parts[key] ?? hole);
    const letters = [];
    if ("emailauth-email-body-code-text" in own) {
      const subject = parts["subject"] ?? "";
      letters.push({ name: "code.txt", subject, text: fill(textFile) });
      letters.push({ name: "code.html", subject, html: fill(htmlFile) });
    }
    if ("emailauth-accountrecovery-confirmation-body" in own)
      letters.push({
        name: "recovery.txt",
        subject: of("accountrecovery-confirmation-subject"),
        text: of("accountrecovery-confirmation-body", "Ann", "10 min", "{{link}}"),
      });
    if ("emailauth-accountrecovery-usernotification-body" in own)
      letters.push({
        name: "notice.txt",
        subject: of("accountrecovery-usernotification-subject"),
        text: of("accountrecovery-usernotification-body", "Ann"),
      });
    return letters.map((letter) => written("MediaWiki EmailAuth", { language, ...letter }));
  });
}
