import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Settings of a wallet whose addresses are on no block of it. */
export const emptyChainWallet = {
  WALLET_LTC_XPUB:
    "zpub6rPo5mF47z5coVm5rvWv7fv181awb7Vckn5Cf3xQXBVKu18kuBHDhNi1Jrb4br6vVD3ZbrnXemEsWJoR18mZwkUdzwD8TQnHDUCGxqZ6swA",
  WALLET_LTC_FIRST: "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
};
const genesis = "12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2";

export interface EmptyChain {
  readonly host: string;
  close(): Promise<void>;
}

/** An Esplora of Litecoin's main network with empty blocks up to now, until after the test. */
export async function openEmptyChain(tip: number): Promise<EmptyChain> {
  const hashOf = (height: number) => (height === 0 ? genesis : height.toString(16).padStart(64, "0"));
  const block = (height: number) => ({
    id: hashOf(height),
    height,
    timestamp: Math.floor(Date.now() / 1000),
    tx_count: 0,
    previousblockhash: hashOf(height - 1),
  });
  const said = (path: string) => {
    const [, what, which] = path.split("/");
    if (what === "mempool") return [];
    if (what === "address")
      return { chain_stats: { funded_txo_sum: 0 }, mempool_stats: { funded_txo_sum: 0 } };
    if (what === "block") return block(Number.parseInt(which ?? "", 16));
    return what === "blocks" ? [block(Number(which ?? tip))] : undefined;
  };
  const server = createServer((request, response) => {
    const answer = request.method === "GET" ? said(request.url ?? "") : undefined;
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { host: `127.0.0.1:${port}`, close };
}
