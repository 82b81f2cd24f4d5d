import { avatar, chooseAvatar } from "../../contract/avatars.ts";
import { answer, type Route } from "../kit/answer.ts";
import type { Users } from "./users.ts";

/** The picture of an account: read and chosen by who holds its token, nobody else (spec B §7). */
export function avatarRoutes({ users }: { readonly users: Users }): Route[] {
  return [
    answer(avatar, async ({ asked, caller, refuse }) => {
      if (asked.id !== caller.userId) return refuse("token");
      return { avatar: (await users.information(caller.userId)).avatar };
    }),

    answer(chooseAvatar, async ({ asked, caller, refuse }) => {
      if (asked.userId !== caller.userId) return refuse("token");
      await users.chooseAvatar(caller.userId, asked.avatar);
      return { avatar: asked.avatar };
    }),
  ];
}
