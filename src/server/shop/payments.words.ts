// Explains the history of a payment in words. Scripts get the rows (--json).

const whys: Readonly<Record<string, string>> = {
  "other coin": "another coin came than was requested",
  "no rate": "there was no rate for a late or surplus transfer",
  vanished: "a transfer that was credited has left the chain",
  amount: "the chain shows another amount of a transfer than before",
  rejected: "a transfer came after the rejection",
  surplus:
    "after the credit more than the whole sum came again, or from another sender to an emptied address",
  unseen: "the address has more than its transfers explain",
};

const words: Readonly<Record<string, string>> = {
  created: "requested",
  seen: "a transfer was seen",
  gone: "a transfer has left the chain",
  confirmed: "a transfer is final",
  disputed: "the chain shows another amount of a transfer",
  unseen: "the address has more than its transfers explain",
  awaiting: "waits for a transfer again",
  underpaid: "too little has come",
  confirming: "enough has come, not all of it is final",
  review: "under review",
  credited: "credited",
  expired: "expired",
  expired_partial: "expired, and too little came to be credited",
  rejected: "rejected",
  decided: "decided",
};

type Detail = Readonly<Record<string, unknown>>;

export function historyText({ what, detail }: { what: string; detail: unknown }): string {
  return [words[what] ?? what, ...factsOf(what, (detail ?? {}) as Detail)].join("; ");
}

function factsOf(what: string, detail: Detail): string[] {
  const text = (name: string) => (typeof detail[name] === "string" ? detail[name] : undefined);
  const facts = [
    what === "created" && `${text("due")} ${text("currency")} for ${text("dollars")} dollars`,
    what === "created" && `rate ${text("rate")} (${text("source")})`,
    text("amount") && `${text("amount")} ${text("of")}`,
    text("transfer"),
    text("why") && whys[text("why") ?? ""],
    what === "decided" && `${text("does")} by ${text("by")}: ${text("reason")}`,
    text("credited") !== undefined && text("credited") !== "0.0" && `${text("credited")} dollars`,
    text("locked") && `locked rate ${text("locked")}`,
    text("present") && `present rate ${text("present")}`,
    detail["isLate"] === true && "late",
    detail["isSurplus"] === true && "more than was requested",
  ];
  return facts.filter((fact): fact is string => typeof fact === "string" && fact !== "");
}
