import { useState } from "react";
import { Captcha } from "./Captcha.tsx";

interface UsedCaptcha {
  /** The solution; empty until it is solved. */
  payload: string;
  /** A solution counts once: after a refusal a new one is needed. */
  renew: () => void;
  round: number;
  solve: (payload: string) => void;
}

/** The captcha of one form. */
export function useCaptcha(): UsedCaptcha {
  const [payload, solve] = useState("");
  const [round, setRound] = useState(0);
  const renew = () => {
    solve("");
    setRound(round + 1);
  };
  return { payload, renew, round, solve };
}

/** Where the captcha of a form is drawn; its error goes away when it is solved. */
export function CaptchaField({ captcha, error }: { captcha: UsedCaptcha; error: string | undefined }) {
  const { payload, round, solve } = captcha;
  return (
    <div data-field="captcha">
      <Captcha key={round} onSolved={solve} error={payload === "" ? error : undefined} />
    </div>
  );
}
