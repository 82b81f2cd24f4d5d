// Server-sent events (HTML Living Standard, section 9.2) as far as the shop writes them, by fetch: EventSource would put the token into the address.
import { PosternError } from "./refusal.ts";
import { type AnyRefused, answerOf } from "./request.ts";

/** One message of a stream. */
export interface Message {
  id: string;
  name: string;
  data: unknown;
}

/** The shop sends at least a comment more often; a connection that is silent longer is dead. */
const silenceMilliseconds = 45_000;

/**
 * Yields the messages of the stream that `ask` opens, until it ends or is silent for too long.
 * Throws a PosternError when the shop refuses it, and what `ask` throws.
 */
export async function* listen(
  ask: (signal: AbortSignal) => Promise<Response>,
  signal?: AbortSignal,
): AsyncGenerator<Message, void, undefined> {
  const over = new AbortController();
  const inTime = async <Result>(step: Promise<Result>) => {
    const timer = setTimeout(
      () => over.abort(new DOMException("silence", "TimeoutError")),
      silenceMilliseconds,
    );
    return step.finally(() => clearTimeout(timer));
  };
  try {
    const response = await inTime(ask(signal ? AbortSignal.any([signal, over.signal]) : over.signal));
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      throw new PosternError({ refused: await refusalOf(response) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks.map(messageOf).filter((message) => message !== undefined);
    }
  } finally {
    over.abort();
  }
}

/** Undefined: a block of comments. */
function messageOf(block: string): Message | undefined {
  const message = { id: "", name: "", data: "" };
  for (const line of block.split("\n")) {
    const [field, value = ""] = line.split(/: (.*)/);
    if (field === "id") message.id = value;
    if (field === "event") message.name = value;
    if (field === "data") message.data = value;
  }
  return message.name === "" ? undefined : { ...message, data: JSON.parse(message.data) as unknown };
}

/** Of an answer that is not what was asked for. A proxy may speak no JSON. */
export async function refusalOf(response: Response): Promise<AnyRefused> {
  const answer = answerOf(await response.json().catch(() => undefined));
  const refused: AnyRefused = answer.ok ? { ok: false, value: "server", more: {} } : answer;
  if (response.status !== 429) return refused;
  const seconds = Number(response.headers.get("retry-after") ?? 1);
  const more = { retry_after: Number.isFinite(seconds) ? seconds : 1, ...(answer.ok ? {} : answer.more) };
  return { ok: false, value: "limit", more };
}
