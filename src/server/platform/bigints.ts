export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
export const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
