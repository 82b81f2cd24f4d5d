import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";

export interface HeardEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
}

export interface Listener {
  readonly heard: readonly HeardEvent[];
  readonly headers: IncomingMessage["headers"];
  readonly retryMs: number | undefined;
  /** Waits for so many events of a name (or of any) and answers the last. Throws when the stream ends first. */
  hear(name?: string, count?: number): Promise<HeardEvent>;
  ended(): Promise<void>;
  close(): void;
}

/** Resolves at the first event (`ready` or `reset`). Throws a refusal. */
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
    // Later faults come with the response.
    request.on("error", reject);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
