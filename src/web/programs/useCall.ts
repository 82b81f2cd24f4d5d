import type { Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { toast } from "../ui/feedback/toast.ts";
import { useBusy } from "../useBusy.ts";

export type Call<Data> = () => Promise<{ ok: true; data: Data } | Refused<string>>;

/** Calls, and shows the refusal, or what `done` says. Answers the data; undefined: it was refused. */
export function useCall() {
  const t = useAppText();
  const [isBusy, whileBusy] = useBusy();
  const run = async <Data>(call: Call<Data>, done?: (data: Data) => string): Promise<Data | undefined> => {
    const answer = await whileBusy(call);
    if (!answer.ok) toast("bad", refusalText(t, answer));
    else if (done) toast("good", done(answer.data));
    return answer.ok ? answer.data : undefined;
  };
  return [isBusy, run] as const;
}
