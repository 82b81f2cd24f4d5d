// Public keys of "abandon … about", the example phrase, and the first address of each.
export const printedEvm = {
  WALLET_EVM_XPUB:
    "xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt",
  WALLET_EVM_FIRST: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
};
export const printedTon = {
  WALLET_TON_PUBLIC_KEY: "7952e94118f34607c75e23258dd9220d66ccac5a3ee074125c25068e8107bfbf",
  WALLET_TON_FIRST: "UQAzWZa6nM5mJev91wGc7VCSfBoIsYRqKJpV78N8Add9-RKY",
};
