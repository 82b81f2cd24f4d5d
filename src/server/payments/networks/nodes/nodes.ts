// The nodes of a chain: several addresses in order of preference, each asked as often as it bears, left alone while it is ill.
import * as clocks from "../../../platform/clock.ts";
import { type Known, type Node, type NodeHealth, openNode } from "./nodes.node.ts";
import { NodeTrouble } from "./nodes.wire.ts";

export { NodeTrouble } from "./nodes.wire.ts";
export type { Call } from "./nodes.wire.ts";
export type { Node, NodeHealth } from "./nodes.node.ts";

export interface Nodes {
  /**
   * Does a piece of work with the first node that is well, and once more from its beginning with the next one when there is
   * trouble: what belongs together is told by one node. `second` prefers another than the one in use, as a second opinion.
   * Throws NodeTrouble when no node could do it; other faults of the work go through.
   */
  with<Outcome>(
    work: (node: Node) => Promise<Outcome>,
    signal: AbortSignal,
    which?: { second?: boolean },
  ): Promise<Outcome>;
  health(): NodeHealth[];
}

interface Settings {
  readonly urls: readonly string[];
  /**
   * What each node takes in a second, or how that follows from its address; a burst is spread. Each call of a batch counts,
   * as providers count.
   */
  readonly requestsPerSecond?: number | ((url: URL) => number);
  /** The header for a key that stands in an address as https://key@host; without it the key is a bearer token. */
  readonly keyHeader?: string;
  /** Where JSON-RPC is spoken below an address ("/jsonrpc"); without it at the address itself. */
  readonly rpcPath?: string;
  readonly clock?: () => Date;
}

/** Prepares the nodes of a chain; none is asked yet. */
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
      for (const node of inOrder(second)) {
        try {
          const outcome = await work(node.during(signal));
          node.recovered();
          if (!second) inUse = node;
          return outcome;
        } catch (fault) {
          if (signal.aborted || !(fault instanceof NodeTrouble)) throw fault;
          node.failed(fault);
        }
      }
      const said = nodes.map((node) => `${node.name}: ${node.health().trouble?.text ?? "not asked"}`);
      throw new NodeTrouble(`no node answers (${said.join("; ")})`);
    },
    health: () => nodes.map((node) => ({ ...node.health(), isInUse: node === inUse })),
  };
}
