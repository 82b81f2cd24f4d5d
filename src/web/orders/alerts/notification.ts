import type { AppKey, Translator } from "../../../i18n/t.ts";
import { answerIn, type Item } from "../list/activations.ts";

/** Browsers have notifications on https and localhost only, and some not at all. */
export const hasNotifications = (): boolean => "Notification" in globalThis && isSecureContext;

/** May a notification be shown? The user can take it back in the browser at any time. */
export const mayNotify = (): boolean => hasNotifications() && Notification.permission === "granted";

/** Asks the user for leave. Only a switch calls it, never a page that was just opened. */
export async function askToNotify(): Promise<boolean> {
  return hasNotifications() && (await Notification.requestPermission()) === "granted";
}

/** What a notification says: site and address. It may be read on a locked screen, so the code only if that was chosen. */
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

/** What a press on a notification that the worker showed is to do, by tag. */
const opens = new Map<string, () => void>();

/** Shows it. One letter is one notification, in however many tabs it is heard of. */
export async function notify(
  { title, body }: { title: string; body: string },
  tag: string,
  onOpen: () => void,
): Promise<void> {
  const { lang, dir } = document.documentElement;
  const options = { body, tag, lang, dir: dir === "rtl" ? "rtl" : "ltr", icon: "/favicon.svg" } as const;
  const registration = await navigator.serviceWorker?.getRegistration();
  if (registration?.active) {
    // The only way on phones; and there a press brings the page back even when it was closed.
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
    // A phone without the worker has no notifications; the list itself tells.
  }
}

/** The worker tells the page which of its notifications was pressed (src/web/offline/worker.ts). */
function listenToWorker(): void {
  if (opens.size > 0) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ pressed?: string }>) => {
    opens.get(data.pressed ?? "")?.();
  });
}
