import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that notes everything a letter loads; it answers with a picture. */
export interface Spy {
  readonly url: string;
  readonly heard: { path: string; referer: string | undefined }[];
  close(): void;
}

export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export async function openSpy(): Promise<Spy> {
  const heard: Spy["heard"] = [];
  const hear = ({ url = "", headers }: IncomingMessage) => {
    // Browsers request it after following a link.
    if (url !== "/favicon.ico") heard.push({ path: url, referer: headers.referer });
  };
  const server = createServer((request, response) => {
    hear(request);
    response.setHeader("content-type", "image/png").end(pixel);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
