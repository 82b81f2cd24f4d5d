import fc from "fast-check";
import { expect, test } from "vitest";
import { letter } from "../../../../test/kit/raw.ts";
import { parseLetter } from "../../mime/mime.ts";
import { fit, isAnothers, type WaitingOrder } from "./matching.match.ts";

const order: WaitingOrder = {
  orderId: 1n,
  userId: 1n,
  mailboxId: 1n,
  siteId: 1,
  site: "discord.com",
  subject: null,
  regex: null,
  createdAt: new Date(0),
  expiresAt: new Date(2_000),
};
const senders = new Set(["discord.com", "discordapp.com"]);

const isDelivered = (...fields: string[]) =>
  !(
    "missed" in
    fit(
      { ...parseLetter(letter(...fields, "", "Your code is 482915")), arrivedAt: new Date(1_000) },
      order,
      senders,
    )
  );

const ours = "noreply@discord.com";
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

test.each([
  `Discord, Inc. <${ours}>`,
  `Discord, Inc., Login <${ours}>`,
  `Discord; Login <${ours}>`,
  `"Discord <${ours}>`,
  `Disc"ord <${ours}>`,
  `"Discord, Inc <${ours}>`,
  `Discord :( <${ours}>`,
  `Discord (Login <${ours}>`,
  `Discord: Login <${ours}>`,
  `<>, Discord <${ours}>`,
  "Discord <noreply@ discord.com>",
  "Discord <noreply @discord .com>",
  encoded(`Discord <${ours}>`),
  encoded(ours),
  `<${encoded(ours)}>`,
  `Discord\r\n <${ours}>`,
  `Discord <${ours}>,`,
  `Discord <${ours}`,
  `Discord [${ours}] ${ours}`,
  `<<${ours}>>`,
  `Discord <@relay.test:${ours}>`,
  `${ours} (Discord, a@mailer.test)`,
  `a@mailer.test <${ours}>`,
  `a@mailer.test via Discord, Inc. <${ours}>`,
  `${ours} <${ours}>`,
  `Discord (${ours})`,
  `<Discord> ${ours}`,
  `Discord "<${ours}>"`,
  `'Discord' <'${ours}'>`,
  `Discord &lt;${ours}&gt;`,
  `${ours}>`,
])("a letter from %s is of its site", (from) => {
  expect(isDelivered(`From: ${from}`)).toBe(true);
});

test.each([
  [`Discord <${ours}>, Other <a@other.test>`, undefined, false],
  [`a@other.test, ${ours}`, undefined, false],
  [`${ours}, a@mail.discord.com, Discord <a@discordapp.com>`, undefined, true],
  [`Discord <${ours}>, Other <a@other.test>`, `Discord <mailer@eu.discord.com>`, true],
  [`Discord <${ours}>, Other <a@other.test>`, "a@other.test", false],
  [`Other <a@other.test>, Discord <${ours}>`, ours, false],
  [`Other <a@other.test>, Discord <${ours}>`, "a@other.test", false],
  [`Discord (${ours}) "<a@other.test>"`, undefined, false],
  [`Other "<a@other.test>" (${ours})`, undefined, false],
  ["", ours, true],
  ["Nobody: ;", ours, true],
])(
  "of the authors %s with the Sender %s each is of the site, or the first sent it: %s",
  (from, sender, isOurs) => {
    const fields = sender === undefined ? [] : [`Sender: ${sender}`];
    expect(isDelivered(...(from === "" ? [] : [`From: ${from}`]), ...fields)).toBe(isOurs);
  },
);

test("an order for any sender gets no letter that a site of another buyer wrote together with others", () => {
  const parsed = parseLetter(letter(`From: a@other.test, Discord <${ours}>`, "", "x"));
  const anothers = new Set(["discord.com"]);
  expect(isAnothers({ ...parsed, arrivedAt: new Date(1_000) }, order, { orders: [order], anothers })).toBe(
    true,
  );
});

const signs = [
  '"',
  "'",
  "(",
  ")",
  ",",
  ";",
  ":",
  "<",
  ">",
  "[",
  "]",
  "@",
  "\\",
  " ",
  "\t",
  "\r\n ",
  "é",
  "=",
];

test("a site's address in another's name, comment or quotation makes the letter of no other site ours", () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...signs) },
    fc.constantFrom(
      "Discord",
      "Inc.",
      ours,
      `<${ours}>`,
      `${ours} `,
      encoded(ours),
      encoded(`<${ours}>`),
      encoded('"'),
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), fc.constantFrom("", " ", "\r\n "), (name, blank) => {
      expect(isDelivered(`From: ${name.join("")}${blank}<a@other.test>`)).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

test("however a site writes its name, its address in angle brackets at the end is the sender", () => {
  const piece = fc.oneof(
    fc.constantFrom(...signs.filter((sign) => !["<", ">", "@"].includes(sign))),
    fc.constantFrom("Discord", "Inc.", encoded("<a@other.test>"), encoded("a, b")),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), fc.constantFrom(" ", "\t", "\r\n "), (name, blank) => {
      expect(isDelivered(`From: x${name.join("")}${blank}<${ours}>`)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
