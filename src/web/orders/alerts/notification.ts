import type { AppKey, Translator } from "../../../i18n/t.ts";
import { answerIn, type Item } from "../list/activations.ts";

/** Browsers have notifications on https and localhost only, some not at all. */
export const hasNotifications = (): boolean => "Notification" in globalThis && isSecureContext;

/** Whether notifications are allowed; the user can revoke it at any time. */
export const mayNotify = (): boolean => hasNotifications() && Notification.permission === "granted";

/** Asks for the permission. Call it on a press only, never at page load. */
export async function askToNotify(): Promise<boolean> {
  return hasNotifications() && (await Notification.requestPermission()) === "granted";
}

/** Title and text of a notification. A locked screen may show it, so the code is included only by choice. */
export function noticeOf(
  t: Translator<AppKey>,
  item: Item,
  showsCode: boolean,
): { title: string; body: string } {
  const { site, email } = item;
  const code = showsCode ? answerIn(item) : undefined;
  return {
    title: t("hints.notice", { site }),
    body: code === undefined ? email : `${email}\n${t("hints.notice.code", { code })}`,
  };
}

const opens = new Map<string, () => void>();

/** Shows a notification; the tag makes it one for all tabs. */
export async function notify(
  { title, body }: { title: string; body: string },
  tag: string,
  onOpen: () => void,
): Promise<void> {
  const { lang, dir } = document.documentElement;
  const options = { body, tag, lang, dir: dir === "rtl" ? "rtl" : "ltr", icon: "/favicon.svg" } as const;
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (registration?.active) {
    // The only way on phones; a press reopens a closed page.
    listenToWorker();
    opens.set(tag, onOpen);
    return registration.showNotification(title, { ...options, data: { page: location.pathname } });
  }
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      focus();
      shown.close();
      onOpen();
    };
  } catch {
    // A phone without the worker has no notifications; the list shows the letter.
  }
}

/** The worker reports a pressed notification (src/web/offline/worker.ts). */
function listenToWorker(): void {
  if (opens.size > 0) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ pressed?: string }>) => {
    opens.get(data.pressed ?? "")?.();
  });
}
