import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from "viem";
import contracts from "../contracts/contracts.json" with { type: "json" };
import { freePort } from "./port.ts";

const packaged = fileURLToPath(
  new URL("../../node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil", import.meta.url),
);
const program = existsSync(packaged) ? packaged : "anvil";

type Contract = "Dollars" | "Payer";

/** A node of Ethereum's kind with blocks on demand. */
export interface Anvil {
  readonly url: string;
  readonly chainId: number;
  rpc<Result = unknown>(method: string, ...params: unknown[]): Promise<Result>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  pay(to: string, amount: bigint): Promise<Hex>;
  deploy(name: Contract, ...args: unknown[]): Promise<Hex>;
  call(contract: Hex, name: Contract, functionName: string, args: unknown[], value?: bigint): Promise<Hex>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const hex = (number: bigint): Hex => `0x${number.toString(16)}`;
// No estimate, so that failing transactions can be sent.
const gas = hex(3_000_000n);

/** Without automatic blocks. Remove it after the tests. */
export async function startAnvil({ chainId = 31_337, blockSeconds = 0 } = {}): Promise<Anvil> {
  const folder = await mkdtemp(join(tmpdir(), "postern-anvil-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const state = ["--state", join(folder, "state.json"), "--preserve-historical-states"];
  const blocks = blockSeconds > 0 ? ["--block-time", String(blockSeconds)] : ["--no-mining"];
  const words = ["--silent", "--port", String(port), "--chain-id", String(chainId), ...blocks, ...state];
  let child: ChildProcess | undefined;
  let from: string | undefined;
  const rpc = async <Result>(method: string, ...params: unknown[]): Promise<Result> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const said = (await answer.json()) as { result: Result; error?: { message: string } };
    if (said.error) throw new Error(`${method}: ${said.error.message}`);
    return said.result;
  };
  const chain: Anvil = {
    url,
    chainId,
    rpc,
    mine: (count = 1) => rpc("anvil_mine", hex(BigInt(count))),
    height: async () => Number(await rpc("eth_blockNumber")),
    pay: (to, amount) => rpc("eth_sendTransaction", { from, to, value: hex(amount), gas }),
    deploy: async (name, ...args) => {
      const { abi, bytecode } = contracts[name] as { abi: Abi; bytecode: Hex };
      const data = encodeDeployData({ abi, bytecode, args });
      const id = await rpc("eth_sendTransaction", { from, data, gas });
      await chain.mine();
      const { contractAddress } = await rpc<{ contractAddress: Hex }>("eth_getTransactionReceipt", id);
      return contractAddress;
    },
    call: (to, name, functionName, args, value = 0n) => {
      const data = encodeFunctionData({ abi: contracts[name].abi as Abi, functionName, args });
      return rpc("eth_sendTransaction", { from, to, data, value: hex(value), gas });
    },
    start: async () => {
      child = spawn(program, words, { stdio: "ignore" });
      const failed = once(child, "exit").then(([code]) => {
        throw new Error(`anvil ended with ${code} before it answered`);
      });
      await Promise.race([answering(), failed]);
      failed.catch(() => undefined);
      [from] = await rpc<string[]>("eth_accounts");
    },
    stop: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
    remove: async () => {
      await chain.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const answering = async (): Promise<void> => {
    while (!(await rpc("eth_chainId").catch(() => undefined))) await sleep(20);
  };
  await chain.start();
  return chain;
}
