import { avatar, chooseAvatar } from "../../contract/avatars.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import type { Users } from "./users.ts";

/** The picture of an account: anybody reads it, the account's own token chooses it (spec B §7). */
export function avatarRoutes({ users }: { readonly users: Users }): Route[] {
  return [
    // The specification's call carries no token, and a picture of six is no secret. An id that nobody has answers as a new account
    // does, so that the call does not tell how many accounts there are.
    answer(avatar, async ({ asked }) => ({ avatar: (await users.avatarOf(asked.id)) ?? 0 })),

    answer(chooseAvatar, async ({ asked, caller, refuse }) => {
      if (asked.userId !== caller.userId) return refuse("token");
      await users.chooseAvatar(caller.userId, asked.avatar);
      return { avatar: asked.avatar };
    }),
  ];
}
