// What nodes say of a chain in memory (moody.ts), each kind in its language.
import { Address, beginCell, Cell } from "@ton/core";
import { type Block, digest, type Language, type Paid, Refused, type View } from "./moody.ts";

const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const hex = (number: bigint | number) => `0x${number.toString(16)}`;
const word = (text: string) => text.replace(/^0x/, "").padStart(64, "0");
const numberWord = (amount: bigint) => word(amount.toString(16));
const stranger = `0x${"5e".repeat(20)}`;
export const evmToken = `0x${"70".repeat(20)}`;
const contract = `0x${"c0".repeat(20)}`;

const logOf = ({ to, amount }: Paid) => ({
  address: evmToken,
  topics: [`0x${transferTopic}`, `0x${word(stranger)}`, `0x${word(to)}`],
  data: `0x${numberWord(amount)}`,
});

const wholeLogs = (block: Block, prefix = "0x") =>
  block.paid.flatMap((paid, place) =>
    paid.kind === "token"
      ? [
          {
            ...logOf(paid),
            blockNumber: hex(block.height),
            blockHash: `${prefix}${block.id}`,
            transactionHash: `${prefix}${paid.txid}`,
            logIndex: hex(place),
            removed: false,
          },
        ]
      : [],
  );

function logsIn(view: View, [filter]: readonly unknown[]) {
  const { fromBlock, toBlock, topics } = filter as { fromBlock: string; toBlock: string; topics: string[][] };
  const inside = view.blocks.filter(({ height }) => height >= Number(fromBlock) && height <= Number(toBlock));
  return inside
    .flatMap((block) => wholeLogs(block))
    .filter((log) => topics[2]?.includes(log.topics[2] ?? ""));
}

const evmTransaction = ({ kind, txid, to, amount }: Paid) => ({
  hash: `0x${txid}`,
  from: stranger,
  to: kind === "coin" ? to : kind === "token" ? evmToken : contract,
  value: kind === "token" ? "0x0" : hex(amount),
});

const evmBlock = (block: Block | undefined, isWhole: unknown) =>
  block && {
    number: hex(block.height),
    hash: `0x${block.id}`,
    parentHash: `0x${block.parent}`,
    timestamp: hex(block.at),
    transactions: block.paid.map((paid) => (isWhole === true ? evmTransaction(paid) : `0x${paid.txid}`)),
  };

function evmReceipt(view: View, txid: string) {
  const found = view.find(txid.slice(2));
  if (!found) return null;
  const { block, paid } = found;
  return {
    transactionHash: txid,
    status: "0x1",
    blockNumber: hex(block.height),
    blockHash: `0x${block.id}`,
    gasUsed: "0x5208",
    effectiveGasPrice: "0x1",
    logs: wholeLogs(block).filter(({ transactionHash }) => transactionHash === `0x${paid.txid}`),
  };
}

const programDigits = 100;

function evmBalances(view: View, [{ data }, at]: readonly [{ data: string }, { blockHash: string }]) {
  const block = view.blocks.find(({ id }) => `0x${id}` === at.blockHash);
  if (!block) throw new Refused(-32_000, "header not found");
  const addresses = data.slice(2 + programDigits).match(/.{40}/g) ?? [];
  const words = addresses.map((address) =>
    view.sum(`0x${address}`, ["coin", "inside"], block.height).toString(16).padStart(32, "0"),
  );
  return `0x${words.join("")}`;
}

export const evm: Language = {
  names: [
    "eth_chainId",
    "eth_getBlockByNumber",
    "eth_getLogs",
    "eth_getTransactionReceipt",
    "eth_getTransactionByHash",
    "eth_call",
  ],
  answer: (view, { name, params }) => {
    const [first, second] = params as [string, unknown];
    if (name === "eth_chainId") return hex(1337);
    if (name === "eth_getLogs") return logsIn(view, params);
    if (name === "eth_getTransactionReceipt") return evmReceipt(view, first);
    if (name === "eth_call") return evmBalances(view, params as never);
    if (name === "eth_getTransactionByHash") {
      const found = view.find(first.slice(2));
      return found ? evmTransaction(found.paid) : null;
    }
    const height = first === "latest" ? view.top : first === "finalized" ? view.top - 4 : Number(first);
    return evmBlock(view.blocks[height], second) ?? null;
  },
};

export const tronGenesis = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
/** A block's id begins with its height. */
export const tronId = (height: number) =>
  height === 0 ? tronGenesis : height.toString(16).padStart(16, "0") + digest(`tron ${height}`).slice(16);
const solidLag = 19;
const on41 = (address: string) => `41${address.slice(2)}`;

const tronTransaction = ({ kind, txid, to, amount }: Paid) => {
  const value =
    kind === "coin"
      ? { amount: Number(amount), owner_address: on41(stranger), to_address: on41(to) }
      : { data: "", owner_address: on41(stranger), contract_address: on41(evmToken) };
  const type = kind === "coin" ? "TransferContract" : "TriggerSmartContract";
  return {
    txID: txid,
    ret: [{ contractRet: "SUCCESS" }],
    raw_data: { contract: [{ type, parameter: { value } }] },
  };
};

const tronBlock = (block: Block | undefined, isWhole: boolean) =>
  block
    ? {
        blockID: block.id,
        block_header: {
          raw_data: { number: block.height, parentHash: block.parent, timestamp: block.at * 1000 },
        },
        ...(isWhole && block.paid.length > 0 ? { transactions: block.paid.map(tronTransaction) } : {}),
      }
    : {};

const bare = (text: string) => text.slice(2);

function tronInfo(view: View, txid: string, last: number) {
  const found = view.find(txid);
  if (!found || found.block.height > last) return {};
  const { block, paid } = found;
  const logs = paid.kind === "token" ? [logOf(paid)] : [];
  const log = logs.map(({ address, topics, data }) => ({
    address: bare(address),
    topics: topics.map(bare),
    data: bare(data),
  }));
  const receipt = paid.kind === "token" ? { result: "SUCCESS" } : {};
  return { id: txid, blockNumber: block.height, blockTimeStamp: block.at * 1000, receipt, log };
}

export const tron: Language = {
  names: [
    "eth_chainId",
    "eth_getLogs",
    ...["/wallet", "/walletsolidity"].flatMap((part) => [
      `${part}/getblock`,
      `${part}/gettransactioninfobyid`,
    ]),
    "/wallet/getblockbylimitnext",
    "/wallet/gettransactionbyid",
  ],
  answer: (view, { name, params, body }) => {
    if (name === "eth_chainId") return `0x${tronGenesis.slice(-8)}`;
    if (name === "eth_getLogs") return logsIn(view, params);
    const [, part, call] = name.split("/");
    const last = part === "walletsolidity" ? Math.max(0, view.top - solidLag) : view.top;
    if (call === "getblock") {
      const height = body["id_or_num"] === undefined ? last : Number(body["id_or_num"]);
      return height > last ? {} : tronBlock(view.blocks[height], false);
    }
    if (call === "gettransactioninfobyid") return tronInfo(view, String(body["value"]), last);
    if (call === "gettransactionbyid") {
      const found = view.find(String(body["value"]));
      return found ? tronTransaction(found.paid) : {};
    }
    const block = view.blocks.slice(Number(body["startNum"]), Number(body["endNum"]));
    return block.length === 0 ? {} : { block: block.map((one) => tronBlock(one, true)) };
  },
};

export const litecoinGenesis = "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9";
const minersScript = `0014${"0a".repeat(20)}`;
const coinbase = (block: Block) => digest(`coinbase ${block.id}`);
const coins = (amount: bigint) =>
  `${amount / 100_000_000n}.${String(amount % 100_000_000n).padStart(8, "0")}`;

const esploraHeader = (block: Block) => ({
  id: block.id,
  height: block.height,
  timestamp: block.at,
  tx_count: block.paid.length + 1,
  previousblockhash: block.height === 0 ? null : block.parent,
});
const esploraTransaction = (txid: string, script: string, amount: bigint, block?: Block) => ({
  txid,
  vin: [{ is_coinbase: script === minersScript }],
  vout: [{ scriptpubkey: script, value: Number(amount) }],
  status: block ? { confirmed: true, block_height: block.height } : { confirmed: false },
});

const esploraPaths = ["/blocks", "/block", "/block/txs", "/mempool/txids", "/tx"];

export const esplora: Language = {
  names: esploraPaths,
  nameOf: ({ pathname }) => {
    const [, what, , more] = pathname.split("/");
    return what === "mempool" ? pathname : more === "txs" ? "/block/txs" : `/${what}`;
  },
  answer: (view, { name, url }) => {
    const [, , first = "", , from] = url.pathname.split("/");
    if (name === "getblockhash") throw new Refused(-32_601, "no such method");
    if (name === "/blocks") {
      const height = first === "" ? view.top : Math.min(Number(first), view.top);
      return view.blocks
        .slice(Math.max(0, height - 9), height + 1)
        .toReversed()
        .map(esploraHeader);
    }
    if (name === "/mempool/txids") return view.waiting.map(({ txid }) => txid);
    const block = view.blocks.find(({ id }) => id === first);
    if (name === "/block") return block && esploraHeader(block);
    if (name === "/block/txs") {
      const paid = block?.paid.map((one) => esploraTransaction(one.txid, one.to, one.amount, block)) ?? [];
      return (
        block && [esploraTransaction(coinbase(block), minersScript, 1n, block), ...paid].slice(Number(from))
      );
    }
    const found = view.find(first);
    if (found) return esploraTransaction(first, found.paid.to, found.paid.amount, found.block);
    const waits = view.waiting.find(({ txid }) => txid === first);
    return waits && esploraTransaction(first, waits.to, waits.amount);
  },
};

const rpcTransaction = (txid: string, script: string, amount: bigint) => ({
  txid,
  vin: [script === minersScript ? { coinbase: "00" } : { txid: "00" }],
  vout: [{ n: 0, value: coins(amount), scriptPubKey: { hex: script } }],
});
const rpcHeader = ({ id, height, at, parent }: Block) => ({
  hash: id,
  height,
  time: at,
  ...(height === 0 ? {} : { previousblockhash: parent }),
});
const none = (message: string) => new Refused(-5, message);

export const litecoind: Language = {
  names: [
    "getblockhash",
    "getbestblockhash",
    "getblockheader",
    "getblock",
    "getrawmempool",
    "getrawtransaction",
    "gettxout",
  ],
  answer: (view, { name, params }) => {
    const [first, second] = params as [string, unknown];
    if (name === "getbestblockhash") return view.blocks[view.top]?.id;
    if (name === "getrawmempool") return view.waiting.map(({ txid }) => txid);
    if (name === "getblockhash") {
      const block = view.blocks[Number(first)];
      if (!block) throw new Refused(-8, "Block height out of range");
      return block.id;
    }
    const block = view.blocks.find(({ id }) => id === first);
    if (name === "getblockheader" || name === "getblock") {
      if (!block) throw none("Block not found");
      if (name === "getblockheader") return rpcHeader(block);
      const paid = block.paid.map((one) => rpcTransaction(one.txid, one.to, one.amount));
      return {
        ...rpcHeader(block),
        nTx: paid.length + 1,
        tx: [rpcTransaction(coinbase(block), minersScript, 1n), ...paid],
      };
    }
    const found = view.find(first);
    const paid = found?.paid ?? view.waiting.find(({ txid }) => txid === first);
    const confirmations = found ? view.top - found.block.height + 1 : 0;
    if (name === "gettxout")
      return paid && second === 0
        ? { confirmations, value: coins(paid.amount), scriptPubKey: { hex: paid.to }, coinbase: false }
        : null;
    if (!paid) throw none("No such mempool or blockchain transaction");
    return { ...rpcTransaction(first, paid.to, paid.amount), confirmations, in_active_chain: true };
  },
};

export const tonMaster = `0:${"3a".repeat(32)}`;
export const jettonWalletOf = (owner: string) => `0:${digest(`jettons of ${owner}`)}`;
const tonStranger = `0:${"5e".repeat(32)}`;
const internalTransfer = 0x178d4519;

function tonTransaction({ kind, txid, to, amount }: Paid, block: Block) {
  const body = beginCell()
    .storeUint(internalTransfer, 32)
    .storeUint(0, 64)
    .storeCoins(amount)
    .storeAddress(Address.parseRaw(tonStranger))
    .endCell();
  const isJetton = kind === "token";
  return {
    account: isJetton ? jettonWalletOf(to) : to,
    hash: Buffer.from(txid, "hex").toString("base64"),
    now: block.at,
    mc_block_seqno: block.height,
    description: { aborted: false, compute_ph: { success: true } },
    in_msg: {
      source: tonStranger,
      value: isJetton ? "50000000" : String(amount),
      bounced: false,
      opcode: isJetton ? "0x178d4519" : null,
      message_content: { body: body.toBoc().toString("base64") },
    },
    emulated: false,
    finality: "finalized",
  };
}

export const ton: Language = {
  names: ["/api/v3/masterchainInfo", "/api/v3/transactions", "/api/v3/runGetMethod"],
  answer: (view, { name, url, body }) => {
    const last = view.blocks[view.top];
    if (name === "/api/v3/masterchainInfo")
      return { last: { seqno: view.top, root_hash: last?.id, gen_utime: String(last?.at), global_id: -239 } };
    if (name === "/api/v3/runGetMethod") {
      const [asked] = body["stack"] as { value: string }[];
      const owner = Cell.fromBase64(asked?.value ?? "")
        .beginParse()
        .loadAddress()
        .toRawString();
      const said = beginCell()
        .storeAddress(Address.parseRaw(jettonWalletOf(owner)))
        .endCell();
      return { exit_code: 0, gas_used: 1, stack: [{ type: "cell", value: said.toBoc().toString("base64") }] };
    }
    const accounts = url.searchParams.getAll("account").map((text) => Address.parse(text).toRawString());
    const hash = url.searchParams.get("hash");
    const since = Number(url.searchParams.get("start_utime") ?? 0);
    const all = view.blocks.flatMap((block) =>
      block.paid.map((paid) => ({ paid, told: tonTransaction(paid, block) })),
    );
    const fitting = all.filter(({ paid, told }) =>
      hash === null ? accounts.includes(told.account) && told.now >= since : paid.txid === hash,
    );
    return {
      transactions: fitting.map(({ told }) => told).slice(Number(url.searchParams.get("offset") ?? 0)),
    };
  },
};

/** An invoice's id is the address; three blocks settle a payment. */
export const btcpay: Language = {
  names: ["/server/info", "/payment-methods"],
  nameOf: ({ pathname }) => /\/(server\/info|payment-methods)$/.exec(pathname)?.[0] ?? pathname,
  answer: (view, { name, url }) => {
    if (name === "/server/info")
      return {
        version: "2.3.0",
        syncStatus: [{ paymentMethodId: "LTC-CHAIN", available: true, chainHeight: view.top }],
      };
    const invoice = url.pathname.split("/").at(-2) ?? "";
    const seen = view.blocks.flatMap((block) => block.paid.map((paid) => ({ paid, block })));
    const waits = view.waiting.map((paid) => ({ paid, block: undefined }));
    const payments = [...seen, ...waits]
      .filter(({ paid }) => paid.to === invoice)
      .map(({ paid, block }) => ({
        id: `${paid.txid}-0`,
        receivedDate: block?.at ?? view.now,
        value: coins(paid.amount),
        status: block && view.top - block.height >= 3 ? "Settled" : "Processing",
      }));
    return [{ paymentMethodId: "LTC-CHAIN", destination: invoice, payments }];
  },
};
