import { changeEmail, confirmEmail, setPassword } from "../../contract/account/owner.ts";
import { passwordLengthMin } from "../../contract/limits.ts";
import { now } from "../platform/clock.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import { entering, type Services, takeTry, tryAgain, unlessBusy } from "./users.routes.ts";

type Parts = Pick<Services, "limits" | "passwords" | "users">;

/** The account's own password and e-mail address, by its owner in a session. */
export function ownRoutes(parts: Parts): Route[] {
  return [passwordRoute(parts), ...emailRoutes(parts)];
}

function passwordRoute({ limits, passwords, users }: Parts): Route {
  return answer(setPassword, ({ asked: { current, password }, caller, request, refuse }) =>
    unlessBusy(async () => {
      const { session, userId } = caller;
      if (!session) return refuse("session");
      const { email } = await users.information(userId);
      if (password.length < passwordLengthMin) return refuse("password too short", { parameter: "password" });
      if (await passwords.isCommon(password, email))
        return refuse("password too common", { parameter: "password" });
      // The current one could be guessed here as well as at the sign-in.
      const who = await entering(users, email, request.address);
      const at = now();
      const wait = await limits.take("login", who, at);
      if (wait !== undefined) return new Limited(wait);
      const { isLeaked } = passwords;
      const asked = { userId, session: session.id, current, password, isLeaked };
      const done = await users.own.setPassword(asked, at, request);
      if (typeof done === "string")
        return refuse(done, { parameter: done === "invalid password" ? "current" : "password" });
      await limits.forgive("login", who);
      return { message: "password changed", ...done };
    }),
  );
}

function emailRoutes({ limits, users }: Parts): Route[] {
  return [
    answer(
      changeEmail,
      async ({ asked: { email }, caller: { userId }, request: { address: from }, refuse }) => {
        const at = now();
        // Asking too early does not count against the limit; probing addresses does.
        const early = await users.secondsToCode(userId, "old-email", at);
        if (early > 0) return tryAgain(early);
        const whence = (await users.isAtHome(userId, from, at)) ? "home" : "stranger";
        const wait = await limits.take("codes", { account: String(userId), address: from, whence }, at);
        if (wait !== undefined) return new Limited(wait);
        const sent = await users.own.askEmail({ userId, email, from }, at);
        if (typeof sent === "string") return refuse(sent, { parameter: "email" });
        return sent > 0 ? tryAgain(sent) : { message: "codes sent" };
      },
    ),

    answer(confirmEmail, async ({ asked, caller: { userId }, request, refuse }) => {
      const { code, email, new_code: newCode } = asked;
      const { address: from } = request;
      const wait = await takeTry({ limits, users }, { userId, account: String(userId), address: from }, code);
      if (wait !== undefined) return new Limited(wait);
      const no = await users.own.changeEmail({ userId, email, code, newCode, from }, now(), request);
      return no ? refuse(no.refusal, { parameter: no.parameter }) : { message: "email changed" };
    }),
  ];
}
