import { useQuery } from "@tanstack/react-query";
import { api } from "../../api.ts";
import { dataOf } from "../../serverState.tsx";

const none = { sites: [], domains: [] };

/** Sites and mail domains of the newest hundred orders, those of the newest first. */
export function useOwnNames(): { readonly sites: readonly string[]; readonly domains: readonly string[] } {
  const { data } = useQuery({
    queryKey: ["ownNames"],
    queryFn: async ({ signal }) => {
      const { data: days } = await dataOf(api.history({ size: "100", brief: 1 }, { signal }));
      const orders = Object.values(days).flat();
      return {
        sites: [...new Set(orders.map(({ from }) => from))],
        domains: [...new Set(orders.map(({ email }) => email.replace(/^.*@/s, "")))],
      };
    },
  });
  return data ?? none;
}
