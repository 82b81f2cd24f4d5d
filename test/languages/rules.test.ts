import { expect, test } from "vitest";
import type { Language } from "../../src/i18n/languages.ts";
import { brokenRules } from "./rules.ts";

/** A fault of each kind: a pattern that never matches would let every text pass. */
const faults: [Language, key: string, text: string][] = [
  ["en", "news.empty.text", "Wait..."],
  ["en", "news.empty.text", "the site's form"],
  ["en", "news.empty.text", "Two  spaces"],
  ["en", "nav.help", "Help."],
  ["en", "auth.email", "E-mail"],
  ["en", "office.rates.text", "The coin is sold"],
  ["en", "docs.refusal.images", "The images is 0 or 1."],
  ["en", "docs.call.order", "The order is answered `ok`"],
  ["ru", "home.lead", "Адрес еще ваш"],
  ["ru", "home.lead", "Письмо — ваше"],
  ["ru", "home.lead", "Письмо на адрес"],
  ["ru", "home.lead", "Ставка 5%"],
  ["ru", "home.lead", "Ставка 5 %"],
  ["ru", "home.lead", "Мы написали Вам"],
  ["ru", "office.batch.decided", "Партия решена"],
  ["ru", "programs.secret.done", "Я сохранил"],
  ["ru", "pay.title", "Платёж #{id}"],
  ["es", "home.lead", "Tarifa 5 %"],
  ["es", "home.lead", "Cuesta 5$"],
  ["es", "home.lead", "Listo!"],
  ["es", "pay.title", "Pago №{id}"],
  ["es", "order.failed", "{count} de pedidos"],
  ["zh", "home.lead", "邮件 ，收到"],
  ["zh", "home.lead", "第2封"],
  ["zh", "home.lead", "您的账号"],
  ["ar", "home.lead", "اختر موقعًا"],
  ["ar", "home.lead", "أولاً"],
  ["ar", "home.lead", "٣ رسائل"],
  ["ar", "again.done", "عنوان {domain}"],
  ["hi", "home.lead", "ईमेल आया."],
  ["hi", "home.lead", "ख़रीदार"],
  ["hi", "home.lead", "5 $"],
  ["hi", "office.user.block.says", "{name} साइन इन नहीं कर सकेगा।"],
];

test.each(faults)("%s %s may not say: %s", (language, key, text) => {
  expect(brokenRules(language, key, text)).not.toEqual([]);
});

test("a text that keeps the rules breaks none, and a specified one may stay as it is", () => {
  expect(brokenRules("en", "docs.refusal.images", "`images` must be 0 or 1.")).toEqual([]);
  expect(brokenRules("en", "pay.failed", "Payment №{id} failed.")).toEqual([]);
  expect(brokenRules("ru", "home.lead", "Письмо\u00a0— на\u00a0ваш адрес, 5\u00a0%")).toEqual([]);
  expect(brokenRules("ar", "again.done", "عنوان \u2068{domain}\u2069")).toEqual([]);
});
