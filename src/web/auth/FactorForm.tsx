import { useEffect } from "react";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import type { Ways } from "../security/passkeys.ts";
import { ProveFactor } from "../security/ProveFactor.tsx";
import { signIn } from "../session.ts";
import { toast } from "../ui/feedback/toast.ts";
import { openAuth, useAuthRequest } from "./authDialog.ts";
import { type FieldError, refusalError } from "./fieldErrors.ts";
import { useAfterSignIn } from "./useAfterSignIn.ts";

/** The second step of a sign-in, after the password. */
export function FactorForm() {
  const ways = useAuthRequest()?.ways;
  useEffect(() => {
    if (!ways) openAuth("login");
  }, [ways]);
  return ways && <Step ways={ways} />;
}

function Step({ ways }: { ways: Ways }) {
  const t = useText();
  const enter = useAfterSignIn();
  const send = async (given: { code?: string; passkey?: string }): Promise<FieldError | undefined> => {
    const answer = await api.authorizeFactor({ ...given, ...(given.code && { ticket: ways.ticket }) });
    if (answer.ok) {
      const { data, recovery_left: left } = answer.data;
      signIn(data.token);
      enter();
      if (left !== undefined) toast("info", t("auth.factor.left", { count: left }));
      return undefined;
    }
    if (answer.value === "ticket") {
      toast("bad", t("auth.error.ticket"));
      openAuth("login");
      return undefined;
    }
    return refusalError("factor", answer.value, answer.more.retry_after);
  };
  return <ProveFactor ways={ways} onGiven={send} />;
}
