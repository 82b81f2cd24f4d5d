import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Avatar, avatarCount } from "./Avatar.tsx";

const drawn = (index: number, userId?: string) =>
  renderToStaticMarkup(<Avatar index={index} {...(userId !== undefined && { userId })} />);

test("there are six avatars, and the account 45 has one of its own, whichever it has chosen", () => {
  const six = Array.from({ length: avatarCount }, (_, index) => drawn(index, "1001"));
  expect(new Set(six).size).toBe(6);
  const own = drawn(0, "45");
  expect(six).not.toContain(own);
  expect(drawn(3, "45")).toBe(own);
});
