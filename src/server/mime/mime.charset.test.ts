import fc from "fast-check";
import { expect, test } from "vitest";
import { letter } from "../../../test/kit/raw.ts";
import { decodeText } from "./mime.charset.ts";
import { parseLetter } from "./mime.ts";

const latin = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
const utf8 = (text: string) => Buffer.from(text).toString("latin1");

test.each([
  ["utf-7", "48656c6c6f202b41504d2d202b41434d2d", "Hello ó #"],
  ["unicode-1-1-utf-7", "2b4242382d", "П"],
  ["iso-2022-jp", "1b244247273e5a1b2842", "認証"],
  ["iso-2022-jp-ms", "1b244247273e5a1b2842", "認証"],
  ["iso-2022-kr", "1b2429430e404e41750f20352e", "인증 5."],
  ["iso-2022-cn", "1b2429410e51695624426b0f", "验证码"],
  ["hz-gb-2312", "7e7b51695624426b7e7d2e", "验证码."],
  ["gb2312", "d1e9d6a4c2eb", "验证码"],
  ["gbk", "d1e9d6a4c2eb", "验证码"],
  ["gb_2312-80", "d1e9d6a4c2eb", "验证码"],
  ["x-gbk", "d1e9d6a4c2eb", "验证码"],
  ["cp936", "d1e9d6a4c2eb", "验证码"],
  ["gb18030", "d1e9d6a4c2eb", "验证码"],
  ["big5", "c5e7c3d2bd58", "驗證碼"],
  ["big5-hkscs", "c5e7c3d2bd58", "驗證碼"],
  ["euc-kr", "c0cec1f5", "인증"],
  ["ks_c_5601-1987", "c0cec1f5", "인증"],
  ["cp949", "c0cec1f5", "인증"],
  ["euc-jp", "c7a7beda", "認証"],
  ["shift_jis", "8352815b8368", "コード"],
  ["x-sjis", "8352815b8368", "コード"],
  ["windows-31j", "8352815b8368", "コード"],
  ["cp932", "8352815b8368", "コード"],
  ["koi8-r", "f0d2c9d7c5d4", "Привет"],
  ["koi8-u", "f0d2c9a4a6", "Приєі"],
  ["windows-1250", "8a9a9e", "Ššž"],
  ["windows-1251", "cff0e8e2e5f2", "Привет"],
  ["cp1251", "cff0e8e2e5f2", "Привет"],
  ["win-1251", "cff0e8e2e5f2", "Привет"],
  ["windows-1252", "80e9", "€é"],
  ["windows-1253", "cae1eb", "Καλ"],
  ["windows-1254", "fdfef0", "ışğ"],
  ["windows-1255", "f9ece5ed", "שלום"],
  ["windows-1256", "d1e3d2", "رمز"],
  ["windows-1257", "f0fe", "šž"],
  ["windows-1258", "d0f0", "Đđ"],
  ["iso-8859-1", "43f36469676f", "Código"],
  ["latin1", "43f36469676f", "Código"],
  ["iso-8859-2", "b1e6", "ąć"],
  ["iso-8859-5", "bfe0d8d2d5e2", "Привет"],
  ["iso-8859-6", "d1e5d2", "رمز"],
  ["iso-8859-7", "cae1eb", "Καλ"],
  ["iso-8859-8-i", "f9ece5ed", "שלום"],
  ["iso-8859-9", "fdfef0", "ışğ"],
  ["iso-8859-15", "a4", "€"],
  ["tis-620", "c3cbd1ca", "รหัส"],
  ["macintosh", "8e", "é"],
  ["x-mac-cyrillic", "8f80", "ПА"],
  ["ibm866", "8fe0a8a2a5e2", "Привет"],
  ["ibm850", "7682726966", "vérif"],
  ["cp850", "7682726966", "vérif"],
  ["IBM437", "50728166636f6465", "Prüfcode"],
  ["cp852", "4ba26420d8", "Kód ě"],
  ["viscii", "4de32078e163206e68a76e2005", "Mã xác nhận Ẵ"],
  ["utf-16le", "48006900", "Hi"],
  ["utf-16be", "00480069", "Hi"],
  ["utf-16le", "4800690000", "Hi"],
  ["utf8", "c3b3", "ó"],
  ["UTF_8", "c3b3", "ó"],
  ['"utf-8"', "c3b3", "ó"],
  ["'utf-8'", "c3b3", "ó"],
  ["utf-8*en", "c3b3", "ó"],
  ["utf8mb4", "c3b3", "ó"],
])("text in %s: %s", (charset, bytes, text) => {
  expect(decodeText(Buffer.from(bytes, "hex"), charset)).toBe(text);
});

test.each([
  ["us-ascii", utf8("código 验证码"), "código 验证码"],
  ["x-unknown", utf8("código"), "código"],
  ["iso-8859-1", utf8("código"), "código"],
  ["", latin("43f36469676f"), "Código"],
  ["us-ascii", latin("43f36469676f"), "Código"],
  ["nonsense", latin("cff0e8e2e5f220e4f0f3e3"), "Привет друг"],
  ["", latin("f0d2c9d7c5d420c4d2d5c7"), "Привет друг"],
  ["", latin("1b244247273e5a1b2842"), "認証"],
  ["utf-8", latin("cff0e8e2e5f220e4f0f3e3"), "Привет друг"],
  ["utf-8", `${utf8("código ")}\xff`, "código \ufffd"],
  ["utf-8", latin("43f36469676f206465"), "Código de"],
  ["utf-8", latin("94468fd88352815b836882cd2034383239"), "認証コードは 4829"],
  ["utf-8", latin("c7a7bedaa5b3a1bca5c9a4cf2034383239"), "認証コードは 4829"],
  ["utf-8", latin("c0cec1f520b9f8c8a3b4c22034383239"), "인증 번호는 4829"],
  ["utf-8", latin("c4fab5c4d1e9d6a4c2ebcac7343832393135a3ac"), "您的验证码是482915，"],
  ["", latin("b17aaabac5e7c3d2bd58ac4f343832393135a141"), "您的驗證碼是482915，"],
  ["iso-2022-jp", utf8("認証コードは 482915 です"), "認証コードは 482915 です"],
  ["iso-2022-jp", latin("94468fd88352815b836882cd2034383239"), "認証コードは 4829"],
  ["cp50220", latin("c7a7bedaa5b3a1bca5c9a4cf2034383239"), "認証コードは 4829"],
  ["iso-2022-kr", utf8("인증 번호는"), "인증 번호는"],
  ["utf-7", utf8("código"), "código"],
  ["koi8-r", latin("f7c1db20cbcfc420d0cfc4d4d7c5d2d6c4c5cec9d1"), "Ваш код подтверждения"],
  ["", latin("f7c1db20cbcfc420d0cfc4d4d7c5d2d6c4c5cec9d1"), "Ваш код подтверждения"],
  ["utf-8", latin("ab20c2e0f820eaeee420efeee4f2e2e5f0e6e4e5ede8ff20bb"), "« Ваш код подтверждения »"],
  ["utf-8", latin("abc46e646572756e67bb20c4727a746520c472676572"), "«Änderung» Ärzte Ärger"],
  ["", latin("efbbbfc3b3"), "ó"],
  ["", latin("fffe48006900"), "Hi"],
  ["iso-8859-1", latin("efbbbfc3b3"), "ó"],
])("a charset that lies or is missing (%s) is told from the bytes", (charset, bytes, text) => {
  expect(decodeText(Buffer.from(bytes, "latin1"), charset)).toBe(text);
});

const jis = {
  service: "U2VydmljZTogGyRCM05HJyUzGyhC",
  code: "GyRCITwlSSROJCpDTiRpJDshShsoQg==",
  auto: "GyRCOkZBdyFLJEckORsoQg==",
};

test("long subjects and lines in a charset with states have no seam where they were cut", () => {
  const raw = letter(
    `Subject: =?ISO-2022-JP?B?${jis.service}?=`,
    ` =?ISO-2022-JP?B?${jis.code}?=`,
    ` =?ISO-2022-JP?B?${jis.auto}?=`,
    "Content-Type: text/plain; charset=iso-2022-jp",
    "",
    [jis.service, jis.code, jis.auto]
      .map((piece) => Buffer.from(piece, "base64").toString("latin1"))
      .join(""),
  );
  const text = "Service: 確認コードのお知らせ（再送）です";
  expect(parseLetter(raw)).toMatchObject({ subject: text, text });
});

test("wherever a subject in ISO-2022-JP is cut into words, it reads as it was written", () => {
  const sign = fc.constantFrom(
    ["認", "G'"],
    ["証", ">Z"],
    ["コ", "%3"],
    ["。", "!#"],
    ["A", ""],
    ["7", ""],
    [" ", ""],
  );
  const word = fc.array(sign, { minLength: 1, maxLength: 5 });
  const bytesOf = (signs: readonly (readonly [string, string])[]) =>
    signs.map(([read, jis]) => (jis === "" ? read : `\x1b$B${jis}\x1b(B`)).join("");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.boolean(), (words, isSeamless) => {
      const encoded = words.map((signs) => {
        const bytes = isSeamless ? bytesOf(signs).replaceAll("\x1b(B\x1b$B", "") : bytesOf(signs);
        return `=?iso-2022-jp?B?${Buffer.from(bytes, "latin1").toString("base64")}?=`;
      });
      const text = words
        .flat()
        .map(([read]) => read)
        .join("");
      const { subject } = parseLetter(letter(`Subject: ${encoded.join("\r\n ")}`, "", "x"));
      expect(subject).toBe(text.replaceAll(/\s+/g, " ").trim());
    }),
  );
});

test.each([
  ["=?iso-2022-jp?B?GyRCRyc+Wg==?= =?iso-2022-jp?Q?_482915?=", "認証 482915", "that never shifts back"],
  ["=?iso-2022-jp?B?GyRCRyc=?= =?iso-2022-jp?B?PlobKEI=?=", "認証", "cut within a shift"],
  ["=?utf-7?Q?+MEIwRA?= =?utf-7?Q?+MEY-?=", "あいう", "of UTF-7"],
  ["=?hz-gb-2312?Q?=7E=7BQi=7E=7D?= =?hz-gb-2312?Q?=7E=7BV=24=7E=7D_ok?=", "验证 ok", "of HZ"],
  ["=?iso-2022-kr?B?GyQpQw5ATkF1?= =?iso-2022-kr?B?GyQpQyBPSw==?=", "인증 OK", "of ISO-2022-KR"],
  ["=?utf-8?B?6aqM6K8=?= =?utf-8?B?gQ==?=", "验证", "of UTF-8, in which a character is in two"],
])("the words %s read %j: a word %s", (subject, text) => {
  expect(parseLetter(letter(`Subject: ${subject}`, "", "x")).subject).toBe(text);
});

test("Hebrew that is written as it is seen is read as it is meant, and Hebrew in its order stays so", () => {
  const visual = Buffer.from(
    "28446973636f7264204c6f67696e2920343832393135203aeaecf920fae5eee9e0e420e3e5f7",
    "hex",
  );
  const read = "קוד האימות שלך: 482915 (Discord Login)";
  expect(decodeText(visual, "iso-8859-8")).toBe(read);
  expect(decodeText(visual, "iso-8859-8-i")).not.toBe(read);
  const html = Buffer.concat([Buffer.from('<p title="482915">'), visual, Buffer.from("&nbsp;</p>")]);
  expect(decodeText(html, "iso-8859-8")).toBe(`<p title="482915">&nbsp;${read}</p>`);
  const logical = Buffer.from("f7e5e320e4e0e9eee5fa20f9ecea3a20343832393135", "hex");
  expect(decodeText(logical, "iso-8859-8")).toBe("קוד האימות שלך: 482915");
});

test.each([
  ['<meta charset="windows-1251">', "cff0e8e2e5f2"],
  ["<META http-equiv=content-type content='text/html; charset=koi8-r'>", "f0d2c9d7c5d4"],
])("HTML without a charset in its header is read by its own %s", (meta, bytes) => {
  const raw = letter("Content-Type: text/html", "", `<head>${meta}</head><p>${latin(bytes)}</p>`);
  expect(parseLetter(raw).text).toBe("Привет");
});

test("HTML that is not in the charset of its header is read by its own, but not for one broken character", () => {
  const read = (html: string) =>
    parseLetter(letter("Content-Type: text/html; charset=utf-8", "", `<meta charset="iso-8859-2">${html}`))
      .text;
  expect(read(latin("506f747769657264bc206b6f6420b1e6ea"))).toBe("Potwierdź kod ąćę");
  expect(read(utf8("Potwierdź kod ąćę \ufffd").replace(utf8("\ufffd"), "\xff"))).toBe(
    "Potwierdź kod ąćę \ufffd",
  );
});

test("a text that only says it is UTF-16 is read as what it is", () => {
  const text = "Your verification code is 482915. Do not share it.";
  for (const charset of ["utf-16", "utf-16le", "utf-16be"])
    expect(decodeText(Buffer.from(text), charset)).toBe(text);
  expect(decodeText(Buffer.from("4f60597d", "hex"), "utf-16be")).toBe("你好");
});

test.each([
  ["=?utf-8?B?0J/RgNC40LI=?=", "Прив"],
  ["=?utf-8?B?0J/RgNC40LLQ?= =?utf-8?B?tdGC?=", "Привет"],
  ["=?utf-8?Q?caf=C3?=\r\n =?utf-8?Q?=A9_x?=", "café x"],
  ["=?UTF-8?q?a?= b =?UTF-8?q?c?=", "a b c"],
  ["=?utf-8*en?Q?caf=C3=A9?=", "café"],
  ["=?koi8-r?B?8NLJ18XU?=", "Привет"],
  ["=?iso-2022-jp?B?GyRCRyc+WhsoQg==?=", "認証"],
  ["=?utf-7?Q?Fr+APY-sche?=", "Frösche"],
  ["=?iso-8859-1?Q?Fr\xf6sche?=", "Frösche"],
  ["=?x-none?Q?Fr=C3=B6sche?=", "Frösche"],
  ["=?utf-8?Q?no end", "=?utf-8?Q?no end"],
  ["=?utf-8?X?abc?=", "=?utf-8?X?abc?="],
  [utf8("Привет"), "Привет"],
  [latin("cff0e8e2e5f220e4f0f3e3"), "Привет друг"],
  ["caf\xe9 du coin", "café du coin"],
])("the subject %j reads %j", (subject, text) => {
  expect(parseLetter(letter(`Subject: ${subject}`, "", "x")).subject).toBe(text);
});

test("headers in raw bytes are read in the charset of their letter", () => {
  const raw = letter(
    `From: ${latin("d1e9d6a4")} <a@b.test>`,
    `Subject: ${latin("d1e9d6a4c2eb")}`,
    "Content-Type: text/plain; charset=gbk",
    "",
    "x",
  );
  expect(parseLetter(raw)).toMatchObject({ subject: "验证码", sender: "验证 <a@b.test>" });
});

test("what is encoded in a sender's name is no syntax", () => {
  const from = (text: string) => `From: =?utf-8?B?${Buffer.from(text).toString("base64")}?= <a@real.test>`;
  for (const name of ["<b@other.test>", "b@other.test, x", 'a "b" <c', "x (y"]) {
    const { sender, senderDomain } = parseLetter(letter(from(name), "", "x"));
    expect(senderDomain).toBe("real.test");
    expect(sender).toBe(`${name} <a@real.test>`);
  }
});
