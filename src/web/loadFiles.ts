/** The files that are here or on their way, by address. */
const loaded = new Map<string, Promise<void>>();

/**
 * Fetches every file of a lazily loaded part, then runs its `import()`. The build calls this in place of Vite's own preloader
 * (vite.config.ts): Chromium remembers a module that failed to load until the page is reloaded, so the failure has to come
 * before the import. Throws when a file cannot be fetched; the next call asks for that file again.
 */
export async function loadFiles<Module>(load: () => Promise<Module>, files: string[] = []): Promise<Module> {
  await Promise.all(files.map((file) => fetchOnce(`/${file}`)));
  return load();
}

function fetchOnce(address: string): Promise<void> {
  const known = loaded.get(address);
  if (known) return known;
  const fetched = address.endsWith(".css") ? applyStyles(address) : fetchScript(address);
  loaded.set(address, fetched);
  fetched.catch(() => loaded.delete(address));
  return fetched;
}

/** Brings a script into the browser's cache, from where the import takes it. The document names what it has fetched already. */
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
