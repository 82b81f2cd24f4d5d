/**
 * Tries a POST once for each load, with a test flag (spec B §7, O §7), when the browser has nothing else to do. Nobody waits
 * for it and its failure changes nothing; the client of the API would weigh more than all it says.
 */
export function sendTestPost(): void {
  const send = () => {
    if (!navigator.onLine) return;
    const headers = { "content-type": "application/json" };
    fetch("/api/testpost", { method: "POST", headers, body: '{"test":1}' })
      .then((answer) => answer.text())
      .catch(() => undefined);
  };
  // Safari has no idle time to tell of.
  const whenIdle = () =>
    "requestIdleCallback" in window ? requestIdleCallback(send) : setTimeout(send, 500);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}
