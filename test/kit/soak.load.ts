// The clients of test/kit/soak.ts, as a process of their own: what they cost is not the shop's.
import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import nodemailer, { type Transporter } from "nodemailer";
import type { Clients, Done, Kind, Sample } from "./soak.ts";

const textOf = (bytes: number) =>
  "A line of an ordinary letter, said again.\r\n".repeat(Math.ceil(bytes / 43));
const texts = [2_000, 8_000, 30_000].map(textOf);

const samples: Sample[] = [];
const done: Done = { orders: [], letters: [], payments: [], unanswered: 0, refused: [], unheard: 0 };
/** Orders whose letter was acknowledged, until their buyer hears of it: when it was sent. */
const unheard = new Map<string, number>();
const early = new Map<string, number>();

process.once(
  "message",
  (clients: Clients) => void drive(clients).then(() => process.send?.({ samples, done })),
);

async function drive(clients: Clients): Promise<void> {
  const { pace, webPorts, smtpPort, tokens, person } = clients;
  const until = performance.now() + pace.seconds * 1000;
  const mailer = nodemailer.createTransport({
    host: "127.0.0.1",
    port: smtpPort,
    pool: true,
    maxConnections: 10,
    maxMessages: Infinity,
    ignoreTLS: true,
  });
  const stopped = new AbortController();
  const streams = tokens
    .slice(0, pace.streams)
    .map((token, nth) => follow(webPorts, nth, token, stopped.signal));
  const any = (list: readonly string[]) => list[Math.floor(Math.random() * list.length)] ?? "";
  const call = (
    nth: number,
    path: string,
    asked: Record<string, string>,
    more: Record<string, string> = {},
  ) => ask(webPorts[nth % webPorts.length] ?? 0, path, asked, more);
  await Promise.all([
    atRate(pace.orders, until, async (nth) => {
      const token = any(tokens);
      const placed = await timed("order", () =>
        call(nth, "/email/order", { token, site: "instagram.com", domain: clients.domain }),
      );
      if (!placed) return;
      const [id, email] = [String(placed["id"]), String(placed["email"])];
      done.orders.push(id);
      await send(mailer, id, email, nth);
    }),
    atRate(pace.polls, until, (nth) =>
      timed("poll", () => call(nth, "/user/activations", { token: any(tokens) })),
    ),
    atRate(pace.signIns, until, (nth) =>
      timed("sign-in", () => {
        const from = `10.${nth % 250}.${Math.floor(nth / 250) % 250}.1`;
        return call(nth, "/user/authorize", { ...person, captcha: "off" }, { "x-forwarded-for": from });
      }),
    ),
    atRate(pace.payments, until, async (nth) => {
      const token = any(tokens);
      const created = await call(nth, "/payments/create", { token, wallet: "ltc", amount: "1" });
      if (!created) return;
      const id = String(created["id"]);
      const paid = await timed("payment", () => call(nth, "/payments/play", { token, id }));
      if (paid) done.payments.push(id);
    }),
  ]);
  mailer.close();
  for (const patience = performance.now() + 30_000; unheard.size > 0 && performance.now() < patience;)
    await sleep(50);
  done.unheard = unheard.size;
  stopped.abort();
  await Promise.all(streams);
}

/** Begins `work` so often a second, however long those before it take. */
async function atRate(
  perSecond: number,
  until: number,
  work: (nth: number) => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const start = performance.now();
  for (let nth = 0; perSecond > 0; nth++) {
    const due = start + (nth * 1000) / perSecond;
    if (due >= until) break;
    await sleep(Math.max(0, due - performance.now()));
    const one = work(nth).finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}

async function timed<Answer>(
  kind: Kind,
  work: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const at = performance.now();
  const answer = await work();
  if (answer !== undefined) samples.push([kind, at, performance.now() - at]);
  return answer;
}

/** Undefined where the shop gave no answer, because it was killed, or refused. */
async function ask(
  port: number,
  path: string,
  asked: Record<string, string>,
  headers: Record<string, string>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const [url, words] = [`http://127.0.0.1:${port}${path}`, new URLSearchParams(asked)];
    const isRead = path === "/user/activations";
    const answer = await (isRead
      ? fetch(`${url}?${words}`, { headers })
      : fetch(url, { method: "POST", body: words, headers }));
    const said = (await answer.json()) as Record<string, unknown>;
    if (said["status"] === "success") return said;
    done.refused.push(`${path}: ${String(said["value"])}`);
  } catch {
    done.unanswered++;
  }
  return undefined;
}

async function send(mailer: Transporter, id: string, to: string, nth: number): Promise<void> {
  const subject = `Letter ${id}`;
  const text = `Your code is ${100_000 + nth}.\r\n${texts[nth % texts.length] ?? ""}`;
  const at = performance.now();
  await timed("letter", async () => {
    await mailer.sendMail({ from: "no-reply@mail.instagram.com", to, subject, text });
    done.letters.push(subject);
    const heardAt = early.get(id);
    if (heardAt === undefined) unheard.set(id, at);
    else heard(id, at, heardAt);
    return true;
  }).catch(() => done.unanswered++);
}

function heard(id: string, sentAt: number, heardAt: number): void {
  samples.push(["letter to event", sentAt, heardAt - sentAt]);
  early.delete(id);
  unheard.delete(id);
}

/** Follows the events of an account; after a break at the other process, from where it was. */
async function follow(
  ports: readonly number[],
  nth: number,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  for (let turn = nth; !signal.aborted; turn++) {
    await new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, ...(last === "" ? {} : { "last-event-id": last }) };
      const path = "/user/events";
      const request = get({
        host: "127.0.0.1",
        port: ports[turn % ports.length],
        path,
        headers,
        signal,
        agent: false,
      });
      request.on("error", () => resolve());
      request.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("error", () => undefined);
        response.on("close", resolve);
        response.on("data", (piece: string) => {
          text += piece;
          const end = text.lastIndexOf("\n\n");
          if (end < 0) return;
          for (const event of text.slice(0, end).split("\n\n")) {
            last = /^id: (.+)$/m.exec(event)?.[1] ?? last;
            const id = /^event: letter$/m.test(event)
              ? /"activation_id":"(\d+)"/.exec(event)?.[1]
              : undefined;
            if (id !== undefined) hear(id);
          }
          text = text.slice(end + 2);
        });
      });
    });
    if (!signal.aborted) await sleep(200);
  }
}

function hear(id: string): void {
  const sentAt = unheard.get(id);
  if (sentAt === undefined) early.set(id, performance.now());
  else heard(id, sentAt, performance.now());
}
