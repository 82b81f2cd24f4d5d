import * as clocks from "../../../platform/clock.ts";
import { type Known, type Node, type NodeHealth, openNode } from "./nodes.node.ts";
import { NodeTrouble } from "./nodes.wire.ts";

export { NodeTrouble, plainDecimal } from "./nodes.wire.ts";
export type { Call } from "./nodes.wire.ts";
export type { Node, NodeHealth } from "./nodes.node.ts";

export interface Nodes {
  /** Works with the first healthy node, on trouble again with the next; `second` prefers one not in use. Throws NodeTrouble. */
  with<Outcome>(
    work: (node: Node) => Promise<Outcome>,
    signal: AbortSignal,
    which?: { second?: boolean },
  ): Promise<Outcome>;
  health(): NodeHealth[];
}

interface Settings {
  readonly urls: readonly string[];
  /** Per node, or by its URL; bursts are spread. Each call of a batch counts. */
  readonly requestsPerSecond?: number | ((url: URL) => number);
  /** The header for a key in https://key@host; without it the key is a bearer token. */
  readonly keyHeader?: string;
  /** The path of JSON-RPC below the URL ("/jsonrpc"). */
  readonly rpcPath?: string;
  readonly clock?: () => Date;
}

export function openNodes(settings: Settings): Nodes {
  const { urls, requestsPerSecond = 20, keyHeader, rpcPath = "", clock = clocks.now } = settings;
  const hosts: string[] = [];
  const nodes = urls.map((text) => {
    const url = new URL(text);
    hosts.push(url.host);
    const number = hosts.filter((host) => host === url.host).length;
    const pace = typeof requestsPerSecond === "number" ? requestsPerSecond : requestsPerSecond(url);
    return openNode({ url: text, number, requestsPerSecond: pace, keyHeader, rpcPath, clock });
  });
  let inUse: Known | undefined;
  const inOrder = (second: boolean): Known[] => {
    const well = nodes.filter((node) => !node.isResting());
    return second ? well.toSorted((one, other) => Number(one === inUse) - Number(other === inUse)) : well;
  };
  return {
    with: async (work, signal, { second = false } = {}) => {
      const late: (number | undefined)[] = [];
      for (const node of inOrder(second)) {
        try {
          const outcome = await work(node.during(signal));
          node.recovered();
          if (!second) inUse = node;
          return outcome;
        } catch (fault) {
          if (signal.aborted || !(fault instanceof NodeTrouble)) throw fault;
          node.failed(fault);
          late.push(fault.lateSeconds);
        }
      }
      const troubles = nodes.map((node) => `${node.name}: ${node.health().trouble?.text ?? "not asked"}`);
      const lateSeconds =
        late.length > 0 && late.every((one) => one !== undefined) ? Math.min(...late) : undefined;
      throw new NodeTrouble(`no node answers (${troubles.join("; ")})`, undefined, {
        ...(lateSeconds !== undefined && { lateSeconds }),
      });
    },
    health: () => nodes.map((node) => ({ ...node.health(), isInUse: node === inUse })),
  };
}
