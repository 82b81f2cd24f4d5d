import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Written {
  readonly chatId: number;
  readonly messageId: number;
  readonly text: string;
  readonly isEdit: boolean;
  readonly buttons: readonly { text: string; data?: string; url?: string }[];
}

export interface Person {
  readonly id: number;
  say(text: string): number;
  press(message: Written, button: string | RegExp): number;
  /** Waits for the bot's next matching text. */
  hear(fitting?: RegExp): Promise<Written>;
  block(blocked?: boolean): void;
}

type Payload = Record<string, unknown>;
type Answer = { ok: boolean } & Payload;

export interface TelegramServer {
  readonly token: string;
  readonly url: string;
  readonly settings: Record<string, string>;
  readonly calls: { method: string; payload: Payload; at: number }[];
  readonly written: Written[];
  answer: (method: string, payload: Payload) => Answer | "do it and hang up" | "say nothing" | undefined;
  person(id: number, language?: string): Person;
  repeat(update: number): void;
  /** An update of any shape. */
  tell(what: Payload): number;
  until(method: string, count?: number): Promise<void>;
  close(): Promise<void>;
}

const botName = "postern_test_bot";
let lastBot = 700;

export async function openTelegramServer(): Promise<TelegramServer> {
  const token = `${++lastBot}:test-${"x".repeat(20)}`;
  const world = new World();
  const server = createServer((request, response) => {
    void readBody(request).then(async (payload) => {
      const [, secret, method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? "") ?? [];
      const known = secret === token;
      const answer = known ? await world.take(method, payload, response) : no(401, "Unauthorized");
      if (response.destroyed) return;
      response.writeHead(answer.ok ? 200 : Number(answer["error_code"]), {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(world, {
    token,
    url,
    settings: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: url },
    close: async () => {
      world.changed();
      server.closeAllConnections();
      await new Promise((down) => server.close(down));
    },
  });
}

/** Updates that no person sent: of a channel, an administrator without a name, and what no server should send. */
export function senderlessOf(chatId: number): (Payload & { update_id: number })[] {
  const [channel, group] = ["channel", "supergroup"].map((type) => ({ id: -chatId, type, title: "Shops" }));
  const chat = { id: chatId, type: "private", first_name: "Nobody" };
  const message = { message_id: 1, date: 1, text: "hello" };
  return [
    { channel_post: { ...message, chat: channel, sender_chat: channel } },
    { message: { ...message, chat: group, sender_chat: group } },
    { message: { ...message, chat } },
    { callback_query: { id: "1", chat_instance: "1", data: "menu", message: { ...message, chat } } },
    { message },
    {},
  ].map((what, at) => ({ update_id: 900 + at, ...what }));
}

const yes = (result: unknown): Answer => ({ ok: true, result });

export const no = (code: number, description: string, retryAfter?: number): Answer => ({
  ok: false,
  error_code: code,
  description,
  ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
});

type Update = { update_id: number } & Payload;

class World {
  readonly calls: TelegramServer["calls"] = [];
  readonly written: Written[] = [];
  answer: TelegramServer["answer"] = () => undefined;
  readonly #told = new Map<number, Update>();
  readonly #blocked = new Set<number>();
  #waiting: Update[] = [];
  #lastUpdate = 1000;
  #lastMessage = 100;
  #change = Promise.withResolvers<void>();

  changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  async take(method: string, payload: Payload, response: ServerResponse): Promise<Answer> {
    this.calls.push({ method, payload, at: performance.now() });
    this.changed();
    const instead = this.answer(method, payload);
    if (instead === "do it and hang up") {
      this.#write(payload, false);
      response.destroy();
    } else if (instead === "say nothing") await once(response, "close");
    else if (instead) return instead;
    if (response.destroyed) return yes(true);
    switch (method) {
      case "getMe":
        return yes({ id: 7, is_bot: true, first_name: "Postern", username: botName });
      case "getUpdates":
        return yes(
          await this.#updates(Number(payload["offset"] ?? 0), Number(payload["timeout"] ?? 0), response),
        );
      case "sendMessage":
      case "editMessageText":
        return this.#write(payload, method === "editMessageText");
      default:
        return yes(true);
    }
  }

  person(id: number, language = "en"): Person {
    const from = { id, is_bot: false, first_name: `Person ${id}`, language_code: language };
    const chat = { id, type: "private", first_name: from.first_name };
    let heard = 0;
    return {
      id,
      say: (text) => {
        const command = /^\/\w+/.exec(text)?.[0];
        const entities = command && [{ type: "bot_command", offset: 0, length: command.length }];
        const message = { message_id: ++this.#lastMessage, date: 1, from, chat, text };
        return this.tell({ message: { ...message, ...(entities && { entities }) } });
      },
      press: ({ messageId, text, buttons }, wanted) => {
        const button = buttons.find(
          (each) => (typeof wanted === "string" ? each.text === wanted : wanted.test(each.text)) && each.data,
        );
        if (!button) throw new Error(`no button ${wanted} among ${JSON.stringify(buttons)}`);
        const message = { message_id: messageId, date: 1, chat, text };
        const query = { id: String(this.#lastUpdate), from, chat_instance: "1", message, data: button.data };
        return this.tell({ callback_query: query });
      },
      hear: async (fitting = /(?:)/) => {
        for (;;) {
          for (; heard < this.written.length; heard++) {
            const found = this.written[heard];
            if (found?.chatId !== id || !fitting.test(found.text)) continue;
            heard++;
            return found;
          }
          await this.#change.promise;
        }
      },
      block: (blocked = true) => {
        if (blocked) this.#blocked.add(id);
        else this.#blocked.delete(id);
        const bot = { id: 7, is_bot: true, first_name: "Postern", username: botName };
        const member = (status: string) => ({
          status,
          user: bot,
          ...(status === "kicked" && { until_date: 0 }),
        });
        const [was, is] = blocked ? ["member", "kicked"] : ["kicked", "member"];
        this.tell({
          my_chat_member: {
            chat,
            from,
            date: 1,
            old_chat_member: member(was ?? ""),
            new_chat_member: member(is ?? ""),
          },
        });
      },
    };
  }

  repeat(update: number): void {
    const told = this.#told.get(update);
    if (!told) throw new Error(`there was no update ${update}`);
    this.tell(told);
  }

  async until(method: string, count = 1): Promise<void> {
    while (this.calls.filter((call) => call.method === method).length < count) await this.#change.promise;
  }

  tell(what: Payload): number {
    const update = { ...what, update_id: ++this.#lastUpdate };
    this.#told.set(update.update_id, update);
    this.#waiting.push(update);
    this.changed();
    return update.update_id;
  }

  async #updates(offset: number, seconds: number, asker: { destroyed: boolean }): Promise<Update[]> {
    this.#waiting = this.#waiting.filter(({ update_id: id }) => id >= offset);
    const until = performance.now() + seconds * 1000;
    while (this.#waiting.length === 0 && performance.now() < until && !asker.destroyed) {
      const timer = setTimeout(() => this.changed(), 500);
      await this.#change.promise;
      clearTimeout(timer);
    }
    return this.#waiting;
  }

  #write(payload: Payload, isEdit: boolean): Answer {
    const chatId = Number(payload["chat_id"]);
    if (this.#blocked.has(chatId)) return no(403, "Forbidden: bot was blocked by the user");
    const messageId = isEdit ? Number(payload["message_id"]) : ++this.#lastMessage;
    const markup = payload["reply_markup"] as { inline_keyboard?: Payload[][] } | undefined;
    const buttons = (markup?.inline_keyboard ?? []).flat().map(({ text, callback_data: data, url }) => ({
      text: String(text),
      ...(data === undefined ? {} : { data: data as string }),
      ...(url === undefined ? {} : { url: url as string }),
    }));
    const text = String(payload["text"]);
    this.written.push({ chatId, messageId, text, isEdit, buttons });
    this.changed();
    const chat = { id: chatId, type: "private", first_name: "" };
    return yes({ message_id: messageId, date: 1, chat, text });
  }
}

async function readBody(request: IncomingMessage): Promise<Payload> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString() || "{}") as Payload);
}
