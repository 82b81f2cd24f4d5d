import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";

/** One event as a client of /user/events hears it. */
export interface HeardEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** A client of /user/events over a connection of its own. */
export interface Listener {
  /** Everything that was heard, in its order. */
  readonly heard: readonly HeardEvent[];
  /** The response's headers. */
  readonly headers: IncomingMessage["headers"];
  /** How long the server asks to wait before coming back, in milliseconds. */
  readonly retryMs: number | undefined;
  /** Waits until so many events of a name (of any, without one) were heard; gives the last of them. Throws when the stream ends first. */
  hear(name?: string, count?: number): Promise<HeardEvent>;
  /** Waits until the server ends the stream. */
  ended(): Promise<void>;
  /** Goes away, as a client does that is closed. */
  close(): void;
}

/** Connects; resolves when the first event (`ready` or `reset`) is there. Throws what the server refused. */
export async function listenTo(
  url: string,
  { token, after }: { token: string; after?: string },
): Promise<Listener> {
  const headers = { authorization: `Bearer ${token}`, ...(after ? { "last-event-id": after } : {}) };
  const request = get(`${url}/user/events`, { headers, agent: false });
  const response = await responseOf(request);
  if (response.headers["content-type"] !== "text/event-stream") throw new Error(await textOf(response));
  const heard: HeardEvent[] = [];
  let retryMs: number | undefined;
  let isOver = false;
  let change = Promise.withResolvers<void>();
  const changed = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const parser = createParser({
    onEvent: ({ id = "", event = "", data }) => {
      heard.push({ id, name: event, data: JSON.parse(data) as Record<string, unknown> });
      changed();
    },
    onRetry: (ms) => (retryMs = ms),
  });
  response.setEncoding("utf8");
  response.on("data", (text: string) => parser.feed(text));
  response.on("error", () => undefined);
  response.on("close", () => {
    isOver = true;
    changed();
  });
  const listener: Listener = {
    heard,
    headers: response.headers,
    get retryMs() {
      return retryMs;
    },
    async hear(name, count = 1) {
      for (;;) {
        const fitting = heard.filter((event) => name === undefined || event.name === name);
        const last = fitting[count - 1];
        if (last) return last;
        if (isOver) throw new Error(`the stream ended; heard: ${JSON.stringify(heard)}`);
        await change.promise;
      }
    },
    async ended() {
      while (!isOver) await change.promise;
    },
    close: () => request.destroy(),
  };
  await listener.hear();
  return listener;
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // After the response a broken connection is told by the response.
    request.on("error", reject);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
