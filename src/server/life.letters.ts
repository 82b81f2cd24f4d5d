// Letters like those that sites send to a new member, in words of our own.
import { rawOf } from "./mailer/mailer.ts";
import type { Chance } from "./life.cast.ts";

type Kind = "code" | "link" | "news";

interface SiteLook {
  readonly name: string;
  readonly brand: string;
  readonly from: string;
  readonly colour: string;
  /** Digits of its codes. */
  readonly digits: number;
  readonly look: "card" | "bar" | "plain";
}

export const sites: readonly SiteLook[] = [
  site("google.com", "Google", "no-reply@accounts.google.com", "#1a73e8", 6, "card"),
  site("instagram.com", "Instagram", "no-reply@mail.instagram.com", "#c13584", 6, "plain"),
  site("discord.com", "Discord", "noreply@discord.com", "#5865f2", 6, "bar"),
  site("zoom.us", "Zoom", "no-reply@zoom.us", "#0b5cff", 6, "bar"),
  site("x.com", "X", "verify@x.com", "#0f1419", 6, "plain"),
  site("reddit.com", "Reddit", "noreply@redditmail.com", "#d93a00", 6, "card"),
  site("facebook.com", "Facebook", "registration@facebookmail.com", "#0866ff", 5, "bar"),
  site("telegram.org", "Telegram", "noreply@telegram.org", "#229ed9", 5, "plain"),
  site("tiktok.com", "TikTok", "register@account.tiktok.com", "#010101", 6, "card"),
  site("steampowered.com", "Steam", "noreply@steampowered.com", "#1b2838", 5, "bar"),
  site("github.com", "GitHub", "noreply@github.com", "#1f883d", 8, "card"),
  site("spotify.com", "Spotify", "no-reply@spotify.com", "#117a37", 6, "plain"),
];

function site(
  name: string,
  brand: string,
  from: string,
  colour: string,
  digits: number,
  look: SiteLook["look"],
): SiteLook {
  return { name, brand, from, colour, digits, look };
}

export interface Wanted {
  readonly site: SiteLook;
  readonly kind: Kind;
  readonly to: string;
  readonly at: Date;
  readonly nth: number;
  /** Another sender than the site's own. */
  readonly from?: string;
}

/** Writes a letter. The codes and links are of `chance`. */
export async function write(
  { site: sender, kind, to, at, nth, from = sender.from }: Wanted,
  chance: Chance,
): Promise<{ mailFrom: string; raw: Buffer }> {
  const raw = await rawOf({
    from: { name: sender.brand, address: from },
    to,
    date: at,
    messageId: `<${nth}.${at.getTime()}@${from.slice(from.indexOf("@") + 1)}>`,
    ...texts[kind](sender, chance),
  });
  return { mailFrom: from, raw };
}

interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const texts: Record<Kind, (site: SiteLook, chance: Chance) => Written> = {
  code: (sender, chance) => {
    const code = chance.digits(sender.digits);
    const lead = chance.pick([
      `Enter this code in ${sender.brand} to confirm that the address is yours:`,
      `You are almost done. Your ${sender.brand} confirmation code is:`,
      `Somebody is signing up for ${sender.brand} with this address. If that is you, enter this code:`,
    ]);
    const end = "It is valid for 15 minutes. If you did not ask for it, you can ignore this letter.";
    const big = `<p style="margin:24px 0;font-size:32px;font-weight:700;letter-spacing:6px">${code}</p>`;
    return {
      subject: chance.pick([
        `${code} is your ${sender.brand} code`,
        `Your ${sender.brand} confirmation code: ${code}`,
        `Confirm your address for ${sender.brand}`,
      ]),
      text: `${lead}\n\n${code}\n\n${end}\n`,
      html: page(sender, "Confirm your address", `<p>${lead}</p>${big}<p style="color:#5f6672">${end}</p>`),
    };
  },
  link: (sender, chance) => {
    const link = `https://www.${sender.name}/confirm?key=${chance.digits(6)}${chance.word(18)}`;
    const lead = `Welcome to ${sender.brand}. One step is left: confirm that this address is yours.`;
    const end = "The link works for one day and once only.";
    const button = `<p style="margin:28px 0"><a href="${link}" style="padding:12px 24px;border-radius:6px;background:${sender.colour};color:#fff;text-decoration:none;font-weight:600">Confirm the address</a></p>`;
    return {
      subject: chance.pick([
        `Confirm your ${sender.brand} account`,
        `Welcome to ${sender.brand}: one step left`,
      ]),
      text: `${lead}\n\nConfirm the address: ${link}\n\n${end}\n`,
      html: page(
        sender,
        `Welcome to ${sender.brand}`,
        `<p>${lead}</p>${button}<p style="color:#5f6672">${end}</p>`,
      ),
    };
  },
  news: (sender) => {
    const lead = `Your ${sender.brand} account is ready. Choose what you want to see first, and find people you know.`;
    return {
      subject: `Your ${sender.brand} account is ready`,
      text: `${lead}\n`,
      html: page(sender, "You are in", `<p>${lead}</p>`),
    };
  },
};

function page({ brand, colour, look, name }: SiteLook, title: string, body: string): string {
  const inner = `<h1 style="font-size:22px;margin:0 0 16px">${title}</h1>${body}`;
  const foot = `<p style="margin:32px 0 0;font-size:12px;color:#5f6672">${brand} sent this to you because the address was given at ${name}.</p>`;
  const head = {
    card: `<p style="margin:0 0 24px;font-size:24px;font-weight:700;color:${colour}">${brand}</p>`,
    bar: `<p style="margin:0 0 24px;padding:14px 20px;background:${colour};color:#fff;font-size:18px;font-weight:700">${brand}</p>`,
    plain: `<p style="margin:0 0 20px;font-weight:700;color:${colour}">${brand}</p>`,
  }[look];
  const frame = look === "card" ? "border:1px solid #d8dce2;border-radius:10px;" : "";
  return `<!DOCTYPE html><html lang="en"><body style="margin:0;padding:24px;font-family:Arial,sans-serif;font-size:16px;line-height:1.5;color:#1d2129;background:#fff">
<div style="max-width:520px;margin:0 auto;padding:24px;${frame}">${head}${inner}${foot}</div></body></html>`;
}
