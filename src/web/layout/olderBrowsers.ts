// What the pages use and browsers of the range that README.md names lack: imported before everything else.

AbortSignal.timeout ??= (milliseconds) => {
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException("signal timed out", "TimeoutError")), milliseconds);
  return late.signal;
};

AbortSignal.any ??= (signals) => {
  const either = new AbortController();
  const all = [...signals];
  const ended = all.find(({ aborted }) => aborted);
  if (ended) either.abort(ended.reason);
  for (const one of all)
    one.addEventListener("abort", () => either.abort(one.reason), { signal: either.signal });
  return either.signal;
};

URL.canParse ??= (address, base) => {
  try {
    return new URL(address, base) instanceof URL;
  } catch {
    return false;
  }
};

if (!("size" in URLSearchParams.prototype))
  Object.defineProperty(URLSearchParams.prototype, "size", {
    get(this: URLSearchParams) {
      return [...this].length;
    },
  });
