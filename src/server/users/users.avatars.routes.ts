import { avatarOfNew } from "../../contract/limits.ts";
import { avatar, chooseAvatar } from "../../contract/users.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import type { Users } from "./users.ts";

/** Anyone reads the picture of an account; its own token chooses it (spec B §7). */
export function avatarRoutes({ users }: { readonly users: Users }): Route[] {
  return [
    // The specification's call has no token. An unknown id answers like a new account, so that the call does not count accounts.
    answer(avatar, async ({ asked }) => ({ avatar: (await users.avatarOf(asked.id)) ?? avatarOfNew })),

    answer(chooseAvatar, async ({ asked, caller, refuse }) => {
      if (asked.userId !== caller.userId) return refuse("token");
      await users.chooseAvatar(caller.userId, asked.avatar);
      return { avatar: asked.avatar };
    }),
  ];
}
