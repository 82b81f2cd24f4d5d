import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Anvil } from "./anvil.ts";

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** Replaces a node's answer; undefined: keeps it. */
type Change = (call: Call) => unknown;

/** Another node of the same chain, which may lag or lie. */
export interface Mirror {
  readonly url: string;
  readonly calls: Call[];
  requests: number;
  lag: number;
  change: Change | undefined;
  close(): Promise<void>;
}

export class Refusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

export async function openMirror(chain: Anvil): Promise<Mirror> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      mirror.requests++;
      const asked = JSON.parse(text) as Call | Call[];
      const answers = Promise.all([asked].flat().map(answer));
      void answers.then(
        (all) => response.end(JSON.stringify(Array.isArray(asked) ? all : all[0])),
        () => response.destroy(),
      );
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");

  async function answer(call: Call) {
    mirror.calls.push(call);
    const told = mirror.change?.(call);
    const changed = told === undefined ? await lagging(chain, call, mirror.lag) : await Promise.resolve(told);
    const { id } = call;
    if (changed instanceof Refusal) {
      const { code, message } = changed;
      return { jsonrpc: "2.0", id, error: { code, message } };
    }
    const result = changed === undefined ? await chain.rpc(call.method, ...call.params) : changed;
    return { jsonrpc: "2.0", id, result };
  }

  const mirror: Mirror = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    requests: 0,
    lag: 0,
    change: undefined,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return mirror;
}

const hex = (number: number) => `0x${number.toString(16)}`;

/** The answer of a node that is so many blocks behind; undefined where that makes no difference. */
async function lagging(chain: Anvil, { method, params }: Call, lag: number): Promise<unknown> {
  if (lag === 0) return undefined;
  const end = (await chain.height()) - lag;
  const [first, second] = params;
  if (method === "eth_getBlockByNumber") {
    if (first === "latest") return chain.rpc(method, hex(end), second);
    return Number(first) > end ? null : undefined;
  }
  if (method === "eth_getLogs") {
    const filter = first as { fromBlock: string; toBlock: string };
    const toBlock = hex(Math.min(Number(filter.toBlock), end));
    return Number(filter.fromBlock) > end ? [] : chain.rpc(method, { ...filter, toBlock });
  }
  if (method === "eth_getTransactionReceipt") {
    const receipt = await chain.rpc<{ blockNumber: string } | null>(method, first);
    return receipt && Number(receipt.blockNumber) <= end ? receipt : null;
  }
  return undefined;
}
