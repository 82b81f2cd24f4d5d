export const least = <Kind extends bigint>(one: Kind, other: Kind): Kind => (one < other ? one : other);
export const most = <Kind extends bigint>(one: Kind, other: Kind): Kind => (one > other ? one : other);
