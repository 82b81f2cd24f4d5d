import { expect, onTestFinished, test } from "vitest";
import { solved as solvedOf } from "../../../test/kit/captcha.ts";
import { startShop } from "../../../test/kit/shop.ts";

test("the captcha of a log-in by token is checked: it is right, and counts once; programs need none", async () => {
  const shop = await startShop({ CAPTCHA: "altcha" });
  onTestFinished(() => shop.stop());
  const solved = async () => solvedOf(await (await fetch(`${shop.url}/api/captcha`)).json());
  const { token } = await shop.post("/user/registration", {
    email: "ann@example.com",
    password: "correct horse",
    localization: "en",
    recaptcha: await solved(),
  });
  const logIn = (captcha?: string) =>
    shop.get("/user/activations", { token: String(token), page: 1, captcha });
  const captcha = await solved();
  expect(await logIn(captcha)).toMatchObject({ status: "success" });
  for (const no of [captcha, "off", "x"])
    expect(await logIn(no)).toMatchObject({ status: "error", value: "captcha" });
  expect(await logIn()).toMatchObject({ status: "success" });
});
