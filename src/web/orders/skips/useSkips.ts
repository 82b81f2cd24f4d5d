import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { dataOf } from "../../serverState.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { useBusy } from "../../useBusy.ts";
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
  const domain = domainOf(email);
  const isSkipped = useSkips().some((skip) => skip.site === site && skip.domain === domain);
  const { isBusy, remove, change } = useSkipChanges();
  const add = async () => {
    const isDone = await change(() => api.addSkip({ site, domain }));
    if (isDone) toast("good", t("skip.added", { site, domain }));
  };
  return {
    isBusy,
    words: t(isSkipped ? "skip.again" : "skip.add"),
    press: () => (isSkipped ? remove({ site, domain }) : add()),
  };
}

export function useSkipChanges() {
  const t = useAppText();
  const client = useQueryClient();
  const [isBusy, whileBusy] = useBusy();
  const change = async (ask: () => ReturnType<typeof api.addSkip | typeof api.removeSkip>) => {
    const answer = await whileBusy<Awaited<ReturnType<typeof ask>>>(ask);
    if (!answer.ok) toast("bad", refusalText(t, answer));
    void client.invalidateQueries({ queryKey: ["skips"] });
    return answer.ok;
  };
  const remove = (skip: { site: string; domain: string }) => change(() => api.removeSkip(skip));
  return { isBusy, change, remove };
}
