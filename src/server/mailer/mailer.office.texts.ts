// Mails that tell the owners of the shop what happened in its back office.
import type { Language } from "../../i18n/languages.ts";

export const officeKinds = [
  "office-granted",
  "office-revoked",
  "office-adjusted",
  "office-factor-removed",
] as const;
export type OfficeKind = (typeof officeKinds)[number];

/** {by}: whose act it was; {about}: the account; {role}; {amount}: dollars. */
interface Act {
  readonly title: string;
  readonly lead: string;
}

export const officeTexts: Record<Language, Record<OfficeKind, Act>> = {
  en: {
    "office-granted": {
      title: "A role was given in the back office",
      lead: "{by} gave {about} this role: {role}. The audit log of the back office has it.",
    },
    "office-revoked": {
      title: "A role was taken away in the back office",
      lead: "{by} took this role from {about}: {role}. The audit log of the back office has it.",
    },
    "office-adjusted": {
      title: "An adjustment waits for a second person",
      lead: "{by} asks to change the account {about} by {amount} dollars, which is above the limit. A second person decides about it in the back office.",
    },
    "office-factor-removed": {
      title: "A second factor was removed",
      lead: "{by} removed a second factor of the account {about}, which works in the back office.",
    },
  },
  ru: {
    "office-granted": {
      title: "В управлении магазином выдана роль",
      lead: "{by} выдаёт аккаунту {about} роль: {role}. Запись есть в журнале действий.",
    },
    "office-revoked": {
      title: "В управлении магазином отозвана роль",
      lead: "{by} отзывает у аккаунта {about} роль: {role}. Запись есть в журнале действий.",
    },
    "office-adjusted": {
      title: "Изменение суммы ждёт второго человека",
      lead: "{by} просит изменить счёт аккаунта {about} на {amount} долларов, это выше лимита. Решение принимает второй человек в управлении магазином.",
    },
    "office-factor-removed": {
      title: "Удалён второй фактор",
      lead: "{by} удаляет второй фактор аккаунта {about}, у которого есть доступ к управлению.",
    },
  },
  es: {
    "office-granted": {
      title: "Se ha dado un rol en la administración",
      lead: "{by} ha dado a {about} este rol: {role}. Consta en el registro de auditoría de la administración.",
    },
    "office-revoked": {
      title: "Se ha quitado un rol en la administración",
      lead: "{by} ha quitado a {about} este rol: {role}. Consta en el registro de auditoría de la administración.",
    },
    "office-adjusted": {
      title: "Un ajuste espera a otra persona",
      lead: "{by} pide cambiar la cuenta {about} en {amount} dólares, por encima del límite. Otra persona lo decide en la administración.",
    },
    "office-factor-removed": {
      title: "Se ha quitado un segundo factor",
      lead: "{by} ha quitado un segundo factor de la cuenta {about}, que trabaja en la administración.",
    },
  },
  zh: {
    "office-granted": {
      title: "管理后台授予了角色",
      lead: "{by} 授予 {about} 以下角色：{role}。管理后台的审计日志中有记录。",
    },
    "office-revoked": {
      title: "管理后台撤销了角色",
      lead: "{by} 撤销了 {about} 的以下角色：{role}。管理后台的审计日志中有记录。",
    },
    "office-adjusted": {
      title: "一笔调整等待第二人确认",
      lead: "{by} 请求将账户 {about} 调整 {amount} 美元，超出了限额。由第二人在管理后台决定。",
    },
    "office-factor-removed": {
      title: "第二验证方式已移除",
      lead: "{by} 移除了账户 {about} 的第二验证方式，该账户可使用管理后台。",
    },
  },
  ar: {
    "office-granted": {
      title: "مُنح دور في الإدارة",
      lead: "منح ⁨{by}⁩ الحساب ⁨{about}⁩ هذا الدور: {role}. وهو مسجل في سجل التدقيق.",
    },
    "office-revoked": {
      title: "سُحب دور في الإدارة",
      lead: "سحب ⁨{by}⁩ من الحساب ⁨{about}⁩ هذا الدور: {role}. وهو مسجل في سجل التدقيق.",
    },
    "office-adjusted": {
      title: "تعديل ينتظر شخصًا ثانيًا",
      lead: "يطلب ⁨{by}⁩ تغيير الحساب ⁨{about}⁩ بمقدار ⁨{amount}⁩ دولار، وهو فوق الحد. يقرر شخص ثانٍ في الإدارة.",
    },
    "office-factor-removed": {
      title: "أُزيل عامل ثانٍ",
      lead: "أزال ⁨{by}⁩ عاملًا ثانيًا للحساب ⁨{about}⁩ الذي يعمل في الإدارة.",
    },
  },
  hi: {
    "office-granted": {
      title: "प्रबंधन में एक भूमिका दी गई",
      lead: "{by} ने {about} को यह भूमिका दी: {role}। प्रबंधन के ऑडिट लॉग में यह दर्ज है।",
    },
    "office-revoked": {
      title: "प्रबंधन में एक भूमिका हटाई गई",
      lead: "{by} ने {about} से यह भूमिका हटाई: {role}। प्रबंधन के ऑडिट लॉग में यह दर्ज है।",
    },
    "office-adjusted": {
      title: "एक बदलाव दूसरे व्यक्ति की प्रतीक्षा में है",
      lead: "{by} खाते {about} में {amount} डॉलर का बदलाव चाहता है, जो सीमा से ऊपर है। प्रबंधन में दूसरा व्यक्ति तय करेगा।",
    },
    "office-factor-removed": {
      title: "एक दूसरा फ़ैक्टर हटाया गया",
      lead: "{by} ने खाते {about} का दूसरा फ़ैक्टर हटाया। यह खाता प्रबंधन में काम करता है।",
    },
  },
};
