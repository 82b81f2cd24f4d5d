import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "./port.ts";

const noted = fileURLToPath(new URL("../../.cache/litecoin/path", import.meta.url));
const program = existsSync(noted) ? readFileSync(noted, "utf8") : "";

/** Why litecoind is missing, for the titles of skipped tests; undefined when it is there. */
export const noLitecoind = whyNone();

function whyNone(): string | undefined {
  if (!existsSync(program))
    return "SKIPPED: there is no litecoind here (node scripts/setup.mjs litecoin unpacks Debian's)";
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).split("\n")[0] ?? "";
  // Other versions have other mining calls.
  return version.includes("v0.21.") ? undefined : `SKIPPED: litecoind 0.21 is needed, this is ${version}`;
}

/** A decimal text: floats lose precision. */
type Coins = string;

/** A Litecoin regtest node on loopback with a funded wallet. */
export interface Litecoind {
  readonly port: number;
  readonly url: string;
  rpc<Result = unknown>(method: string, ...params: unknown[]): Promise<Result>;
  mine(blocks?: number): Promise<void>;
  /** With these transactions alone (below height 432: above it this version fails). */
  mineOnly(raw: readonly string[], blocks?: number): Promise<void>;
  pay(address: string, coins: Coins): Promise<string>;
  /** Two signed transactions that spend the same coins; neither is sent. */
  rivals(one: readonly [string, Coins], other: readonly [string, Coins]): Promise<[string, string]>;
  walletOf(name: string): Promise<Litecoind["rpc"]>;
  start(): Promise<void>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  remove(): Promise<void>;
}

const user = "shop";
const password = "p@ss:word";
const wallet = "miner";

// Blocks until a reward can be spent.
const maturity = 101;

export async function startLitecoind(): Promise<Litecoind> {
  const folder = await mkdtemp(join(tmpdir(), "postern-litecoind-"));
  const [port, peers] = [await freePort(), await freePort()];
  const node = openNode(folder, port, peers);
  await node.start();
  const miner = await node.rpc<string>("getnewaddress");
  await node.rpc("generatetoaddress", maturity, miner);
  return {
    ...node,
    port,
    url: `http://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    mine: async (blocks = 1) => void (await node.rpc("generatetoaddress", blocks, miner)),
    mineOnly: async (raw, blocks = 1) => {
      for (let mined = 0; mined < blocks; mined++)
        await node.rpc("generateblock", miner, mined === 0 ? raw : []);
    },
    pay: (address, coins) => node.rpc("sendtoaddress", address, coins),
    rivals: async (one, other) => {
      const [coin] = await node.rpc<Unspent[]>("listunspent", 1, 9_999_999, [], true, { minimumAmount: 10 });
      if (!coin) throw new Error("the miner has no coin of ten");
      const sign = async ([address, coins]: readonly [string, Coins], fee: number) => {
        const change = (coin.amount - Number(coins) - fee).toFixed(8);
        const inputs = [{ txid: coin.txid, vout: coin.vout, sequence: 0xfffffffd }];
        const raw = await node.rpc("createrawtransaction", inputs, [
          { [address]: coins },
          { [miner]: change },
        ]);
        return (await node.rpc<{ hex: string }>("signrawtransactionwithwallet", raw)).hex;
      };
      return [await sign(one, 0.0001), await sign(other, 0.005)];
    },
    remove: async () => {
      await node.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
}

function openNode(
  folder: string,
  port: number,
  peers: number,
): Pick<Litecoind, "rpc" | "walletOf" | "start" | "stop"> {
  let child: ChildProcess | undefined;
  const callsOf =
    (path: string): Litecoind["rpc"] =>
    async <Result>(method: string, ...params: unknown[]) => {
      const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
        body: JSON.stringify({ id: 1, method, params }),
      });
      const { result, error } = (await answer.json()) as {
        result: Result;
        error: { code: number; message: string } | null;
      };
      if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
      return result;
    };
  const bare = callsOf("");
  const isUp = () =>
    bare("uptime").then(
      () => true,
      () => false,
    );
  const walletOf = async (name: string) => {
    await bare("createwallet", name);
    return callsOf(`wallet/${name}`);
  };
  return {
    rpc: callsOf(`wallet/${wallet}`),
    walletOf,
    async start() {
      child = spawn(program, settings(folder, port, peers), { stdio: "ignore" });
      for (let tries = 0; !(await isUp()); tries++) {
        if (child.exitCode !== null || tries > 1200)
          throw new Error(`litecoind did not start: ${logOf(folder)}`);
        await sleep(25);
      }
      const isOld = existsSync(join(folder, "regtest/wallets", wallet));
      await (isOld ? bare("loadwallet", wallet) : bare("createwallet", wallet));
    },
    async stop(signal = "SIGTERM") {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    },
  };
}

function settings(folder: string, port: number, peers: number): string[] {
  return [
    "-regtest",
    "-server",
    `-datadir=${folder}`,
    `-rpcport=${port}`,
    `-rpcuser=${user}`,
    `-rpcpassword=${password}`,
    `-port=${peers}`,
    "-listen=0",
    "-dnsseed=0",
    // A thousand keys made in advance cost two thirds of its start.
    "-keypool=20",
    "-fallbackfee=0.0001",
    // Litecoin has no replacement by fee, but payers may use nodes that do.
    "-mempoolreplacement=1",
    "-printtoconsole=0",
  ];
}

const logOf = (folder: string) => {
  const path = join(folder, "regtest/debug.log");
  return existsSync(path) ? readFileSync(path, "utf8").slice(-2_000) : "";
};
