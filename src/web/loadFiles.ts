const loaded = new Map<string, Promise<void>>();

/**
 * Fetches the files of a lazy part, then imports it, in place of Vite's preloader (vite.config.ts). Chromium
 * remembers a failed import until a reload, so the fetch must fail first. Throws when a fetch fails; the next
 * call retries.
 */
export async function loadFiles<Module>(load: () => Promise<Module>, files: string[] = []): Promise<Module> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  try {
    return await load();
  } catch (fault) {
    // The browser remembers that a file of it did not come before: `theme.js` loads the page again.
    (globalThis as { reloadPage?: () => void }).reloadPage?.();
    throw fault;
  }
}

function fetchOnce(address: string): Promise<void> {
  const known = loaded.get(address);
  if (known) return known;
  const fetched = tried(() => (address.endsWith(".css") ? applyStyles(address) : fetchScript(address)));
  loaded.set(address, fetched);
  fetched.catch(() => loaded.delete(address));
  return fetched;
}

const triesMax = 3;

/** Where the network drops some of the calls the next try often comes through. */
async function tried(fetchFile: () => Promise<void>, tries = triesMax): Promise<void> {
  try {
    await fetchFile();
  } catch (fault) {
    if (tries === 1 || !navigator.onLine) throw fault;
    await tried(fetchFile, tries - 1);
  }
}

/** Puts a script into the browser's cache for the import. Skips what the document preloads. */
async function fetchScript(address: string): Promise<void> {
  if (document.querySelector(`link[rel=modulepreload][href="${address}"]`)) return;
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
  await answer.arrayBuffer();
}

function applyStyles(address: string): Promise<void> {
  if (document.querySelector(`link[rel=stylesheet][href="${address}"]`)) return Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${address} could not be fetched`));
    };
    document.head.append(link);
  });
}
