import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { type Call, useCall } from "../../programs/useCall.ts";
import { dataOf } from "../../serverState.tsx";
import { domainOf } from "../form/mailType.ts";

export type Skip = Reply<Endpoints["addSkip"]>;

/** The mail domains that orders of the account pass over. */
export function useSkips(): readonly Skip[] {
  const query = useQuery({
    queryKey: ["skips"],
    queryFn: async ({ signal }) => (await dataOf(api.skips({}, { signal }))).data,
  });
  return query.data ?? [];
}

/** Whether the mail domain of an address is passed over for its site, and what changes that. */
export function useSkip({ site, email }: { site: string; email: string }) {
  const t = useAppText();
  const skip = { site, domain: domainOf(email) };
  const isSkipped = useSkips().some((one) => one.site === site && one.domain === skip.domain);
  const { isBusy, remove, add } = useSkipChanges();
  return {
    isBusy,
    words: t(isSkipped ? "skip.again" : "skip.add"),
    press: () => (isSkipped ? remove(skip) : add(skip)),
  };
}

type Which = Pick<Skip, "site" | "domain">;

export function useSkipChanges() {
  const t = useAppText();
  const client = useQueryClient();
  const [isBusy, run] = useCall();
  const change = async (call: Call<object>, done?: () => string) => {
    await run(call, done);
    void client.invalidateQueries({ queryKey: ["skips"] });
  };
  const add = ({ site, domain }: Which) =>
    change(
      () => api.addSkip({ site, domain }),
      () => t("skip.added", { site, domain }),
    );
  const remove = ({ site, domain }: Which) => change(() => api.removeSkip({ site, domain }));
  return { isBusy, add, remove };
}
