// The process of waiting programs: each calls `getmessage?wait=60` before its letter is sent and notes the time of the answer.
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { clock } from "./process.kit.ts";

export interface Watch {
  port: number;
  waits: { number: number; id: string; token: string; opensAt: number }[];
}

export interface Watched {
  readAt: [number: number, readAt: number][];
  refused: string[];
}

if (process.send) process.on("message", (watch: Watch) => void follow(watch));

async function follow({ port, waits }: Watch): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const watched: Watched = { readAt: [], refused: [] };
  const all = waits.map(async ({ number, id, token, opensAt }) => {
    await sleep(Math.max(0, opensAt - clock()));
    const body = await call(agent, port, `/email/getmessage?id=${id}&wait=60`, token);
    const readAt = clock();
    if (body.includes(`(letter ${number})`)) watched.readAt.push([number, readAt]);
    else if (watched.refused.length < 5) watched.refused.push(body.slice(0, 200));
  });
  await Promise.all(all);
  agent.destroy();
  process.send?.(watched);
}

function call(agent: Agent, port: number, path: string, token: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    get({ agent, host: "127.0.0.1", port, path, headers }, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => (body += piece));
      answer.on("end", () => resolve(body));
    }).on("error", (fault) => resolve(String(fault)));
  });
}
