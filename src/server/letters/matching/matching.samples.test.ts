import { expect, test } from "vitest";
import { checkPattern, valueOf } from "./matching.match.ts";
import { parseLetter } from "../../mime/mime.ts";
import { beside } from "../../../../test/codes/beside.ts";
import { arabic, chinese, hindi } from "../../../../test/codes/eastern.ts";
import { english } from "../../../../test/codes/english.ts";
import { russian, spanish } from "../../../../test/codes/european.ts";
import { links } from "../../../../test/codes/links.ts";
import { none } from "../../../../test/codes/none.ts";
import { rawOf } from "../../../../test/codes/sample.ts";
import { shapes } from "../../../../test/codes/shapes.ts";
import { wrapped } from "../../../../test/codes/wrapped.ts";

const kinds = [shapes, beside, none, links, wrapped, { english, russian, spanish, chinese, arabic, hindi }];
const samples = kinds.flatMap((kind) => Object.values(kind).flat());

async function found(pattern: string, name: string): Promise<string | undefined> {
  const sample = samples.find((each) => each.name === name);
  if (!sample) throw new Error(`no letter is called ${name}`);
  return valueOf(pattern, parseLetter(await rawOf(sample)));
}

test.each([
  ["\\d{6}", "a code in the subject and alone on a line", "482913"],
  ["\\b\\d{6}\\b", "a code split by inline tags and invisible characters", "501773"],
  ["(\\d{3}) (\\d{3})", "a code with a space in the middle", "204"],
  ["\\d{3} \\d{3}", "a code with a space in the middle", "204 817"],
  ["\\b([A-Z0-9]{3}-[A-Z0-9]{3})\\b", "letters and digits with a dash", "X7P-9QK"],
  ["(?m)^([A-Z0-9]{5})$", "letters and digits in one word", "R4T7K"],
  ["G-(\\d{6})", "a letter before the digits that nobody types", "603821"],
  ["(?i)your ride code:?\\s*(\\d+)", "a code of four digits beside a year", "7391"],
  ["passcode (?P<code>\\d{8})", "a code of eight digits beside an order number", "20481957"],
  ["(?<code>\\d{5}) is your", "a code before the word", "73920"],
  [
    "https?://\\S+verif\\S*",
    "a link to confirm, no code",
    "https://github.com/users/ann2024/emails/48201/confirm_verification/9f86d081884c7d659a2feaa0c55ad015",
  ],
  ["https://\\S+token=(\\w+)", "a magic link in plain text", "a81bc81bdead4e5dabff90865d1e13b1"],
  [
    "(https://click\\.\\S+)",
    "a code and a link",
    "https://click.discord.com/ls/click?upn=u001.Zx81kQm2Lr93hTnV",
  ],
  ["\\d{6}", "a receipt has no code", "482913"],
  ["\\bcode\\b.*\\d{6}", "a newsletter has no code", undefined],
  ["(?:code|код)[:\\s]*(\\d+)", "a code of four digits beside a year", "7391"],
  ["(?:code|код)[:\\s]*(\\d+)", "прежний код больше не действует", "381592"],
  ["(?i)(?:code|код)[:\\s]*(\\d+)", "пин-код рядом с ценой и датой", "7302"],
  ["[А-Яа-яЁё]+: ([A-Z0-9]{6})", "windows-1251", "7K29M4"],
  ["\\p{Cyrillic}+ пароль: (\\d+)", "koi8-r", "48291305"],
  ["[A-Z0-9]{3}-[A-Z0-9]{3}", "код из букв и цифр через дефис в теме", "7KX-2M9"],
  ["^\\d{4}", "código en el asunto", "4829"],
  ["\\A\\d{4}", "código en el asunto", undefined],
  ["(?m)^\\d{4}", "código en el asunto", "4829"],
  ["(?i)CÓDIGO es\\s+(\\d{6})", "código anterior y código nuevo", "738204"],
  ["验证码.{0,3}?(\\d{4,8})", "验证码紧跟数字", "482913"],
  ["码是\\s*(\\d+)", "gb18030", "603817"],
  ["[٠-٩]{6}", "رمز بأرقام عربية", "٤٨٢٩١٣"],
  ["\\p{Nd}{6}", "رمز بأرقام عربية", "٤٨٢٩١٣"],
  ["الرمز\\s*(\\d{6})", "رمز بأرقام لاتينية", "739204"],
  ["OTP\\D*(\\d{6})", "अंग्रेज़ी शब्दों के साथ", "501773"],
  ["\\p{Devanagari}+ (\\d{6})", "कोड वाक्य में", "482913"],
])("the pattern %s in the letter: %s", async (pattern, name, value) => {
  expect(checkPattern(pattern)).toBeUndefined();
  expect(await found(pattern, name)).toBe(value);
});
