// The load process of the letter benches. Connections stay open; commands are pipelined where the server offers it (RFC 2920).
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { letterTo, type Target } from "./letters.letter.kit.ts";
import { clock } from "./process.kit.ts";

export interface Load {
  port: number;
  connections: number;
  sizeBytes: number;
  targetsFile: string;
  first: number;
  seconds: number;
  /** The most letters; without it the seconds decide. */
  count?: number;
  perSecond?: number;
  mayDie?: boolean;
  /** Reports `"reached"` after so many 250s. */
  tellAt?: number;
}

export interface Sent {
  /** From the first letter to the last answer. */
  seconds: number;
  /** Milliseconds from MAIL to 250, ascending. */
  took: number[];
  accepted: [number: number, endedAt: number][];
  refused: string[];
}

if (process.send) process.on("message", (load: Load) => void answer(load));

async function answer(load: Load): Promise<void> {
  const targets = JSON.parse(await readFile(load.targetsFile, "utf8")) as Target[];
  const sent: Sent = { seconds: 0, took: [], accepted: [], refused: [] };
  const start = clock();
  const next = dealer(load, start);
  const senders = Array.from({ length: load.connections }, () => send(load, targets, next, sent));
  await Promise.all(senders);
  sent.seconds = (clock() - start) / 1000;
  sent.took.sort((one, other) => one - other);
  process.send?.(sent);
}

/** The next letter's number and time; undefined at the end. */
function dealer({ first, count = Infinity, seconds, perSecond }: Load, start: number) {
  let given = 0;
  return (): { number: number; due: number } | undefined => {
    const due = perSecond === undefined ? clock() : start + (given * 1000) / perSecond;
    if (given >= count || due >= start + seconds * 1000) return undefined;
    return { number: first + given++, due };
  };
}

type Next = ReturnType<typeof dealer>;

async function send(load: Load, targets: Target[], next: Next, sent: Sent): Promise<void> {
  const client = new Client(load.port);
  try {
    await client.greet();
    for (let letter = next(); letter; letter = next()) {
      const wait = letter.due - clock();
      if (wait > 1) await sleep(wait);
      const target = targets[letter.number % targets.length]!;
      const start = clock();
      const endedAt = await client.deliver(target, letterTo(target, letter.number, load.sizeBytes));
      sent.took.push(clock() - start);
      if (sent.accepted.push([letter.number, endedAt]) === load.tellAt) process.send?.("reached");
    }
  } catch (fault) {
    if (load.mayDie !== true && sent.refused.length < 5) sent.refused.push(String(fault));
  } finally {
    client.close();
  }
}

class Client {
  readonly #socket: Socket;
  #heard = "";
  #wake = () => {};
  #canPipeline = false;

  constructor(port: number) {
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => {
      this.#heard += text;
      this.#wake();
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => this.#wake());
  }

  async greet(): Promise<void> {
    await this.#reply("2");
    this.#socket.write("EHLO bench.test\r\n");
    this.#canPipeline = /PIPELINING/i.test(await this.#reply("2"));
  }

  async deliver({ address, sender }: Target, letter: Buffer): Promise<number> {
    const commands = [`MAIL FROM:<${sender}>\r\n`, `RCPT TO:<${address}>\r\n`, "DATA\r\n"];
    if (this.#canPipeline) {
      this.#socket.write(commands.join(""));
      for (const wanted of ["2", "2", "3"]) await this.#reply(wanted);
    } else {
      for (const [index, command] of commands.entries()) {
        this.#socket.write(command);
        await this.#reply(index < 2 ? "2" : "3");
      }
    }
    this.#socket.write(letter);
    const endedAt = clock();
    await this.#reply("2");
    return endedAt;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #reply(wanted: string): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(this.#heard)?.[0];
      if (whole !== undefined) {
        this.#heard = this.#heard.slice(whole.length);
        if (whole[0] !== wanted) throw new Error(`the server said: ${whole.trim()}`);
        return whole;
      }
      if (this.#socket.destroyed) throw new Error("the server hung up");
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
