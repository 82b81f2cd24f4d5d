// Several servers behind one DATABASE_URL: one of them writes, the others follow it.

/** A host and its port, as the URL of a database names them. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

const usualPort = 5432;

/** The hosts that a URL names, one or several: postgres://user@one:5432,two:5433/name. */
export function hostsOf(url: string): Host[] {
  const [authority = ""] = url.slice(url.indexOf("://") + 3).split(/[/?]/);
  return authority
    .slice(authority.lastIndexOf("@") + 1)
    .split(",")
    .map((each) => {
      const [, host = "", port] = /^(.*?)(?::(\d+))?$/.exec(decodeURIComponent(each)) ?? [];
      return { host, port: port === undefined ? usualPort : Number(port) };
    });
}

/** A server that writes. */
export interface Writer extends Host {
  /** Names all hosts of which it is one. */
  readonly cluster: string;
  /** How often a standby took over before that: the higher number is the newer primary. */
  readonly timeline: number;
}

/** The newest timeline that this process has used of each cluster. */
export const newest = new Map<string, number>();

/** Whether this process knows a newer primary. What is read from this one may be old, and what it acknowledges is lost. */
export const isReplaced = ({ cluster, timeline }: Writer): boolean => timeline < (newest.get(cluster) ?? 0);
