/** Lets the service worker keep the offline page ready. It comes last: it must not take anything from the first page. */
export function keepOfflinePage(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Where the browser refuses it (a private window, storage switched off), only the offline page is lost.
  const register = () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
