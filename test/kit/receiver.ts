import {
  createServer as createHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Certificate } from "../../src/server/platform/certificate.ts";

export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
}

export type Answer = (received: Received, response: ServerResponse) => number | undefined;

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly heard: Received[];
  answer: Answer;
  until(count: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** At a free port of this machine, or at the address that a test needs. */
export async function openReceiver(
  certificate?: Certificate,
  { port: wanted = 0, host = "127.0.0.1" } = {},
): Promise<Receiver> {
  const changed = new Set<() => void>();
  const heard: Received[] = [];
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", method = "", headers, socket } = request;
      const received = { path: url, method, headers, socket, body: Buffer.concat(chunks).toString() };
      heard.push(received);
      const status = receiver.answer(received, response);
      if (status !== undefined) response.writeHead(status).end("thank you");
      for (const tell of changed) tell();
    });
  };
  const server: Server = certificate ? createHttps(certificate, take) : createHttp(take);
  await new Promise<void>((up) => server.listen(wanted, host, up));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${certificate ? "https" : "http"}://${host}:${port}`,
    port,
    heard,
    answer: () => 200,
    until: (count) =>
      new Promise((enough) => {
        const look = (): void => {
          if (heard.length < count) return;
          changed.delete(look);
          enough(heard);
        };
        changed.add(look);
        look();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((down) => server.close(down));
    },
  };
  return receiver;
}

export function verified({ headers, body }: Received, secret: string): { type: string; data: unknown } {
  return new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    data: unknown;
  };
}
