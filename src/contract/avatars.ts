import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { AnyUserId, AvatarIndex, UserId } from "./fields.ts";
import { Avatar } from "./users.ts";

export const avatar = endpoint({
  name: "avatar",
  method: "GET",
  path: "/api/avatar/{id}",
  access: "anyone",
  summary: "Which of the six pictures an account uses; 0 also for an id that does not exist",
  ask: { id: AnyUserId },
  reply: z.object({ avatar: Avatar }),
  refusals: ["no user"],
});

export const chooseAvatar = endpoint({
  name: "chooseAvatar",
  method: "GET",
  alsoPost: true,
  path: "/api/avatar/",
  access: "user",
  idempotent: true,
  summary: "Choose the picture of the account",
  ask: { userId: UserId, avatar: AvatarIndex },
  reply: z.object({ avatar: Avatar }),
  refusals: ["token", "avatar"],
});
