// @module-tag slow
import { expect, onTestFinished, test, vi } from "vitest";
import { openNameServer } from "../kit/dns.ts";
import { startShop } from "../kit/shop.ts";
import { signingKey } from "../kit/signed.ts";
import { soon } from "../kit/soon.ts";

test("a letter that comes by way of a mailer reaches the buyer whose site has signed it, and the operator counts it", async () => {
  const key = signingKey("discord.com");
  const dns = await openNameServer({
    [key.record[0]]: { TXT: [key.record[1]] },
    "mailer.example": { TXT: ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"] },
    "_dmarc.mailer.example": { TXT: ["v=DMARC1; p=none"] },
  });
  onTestFinished(() => dns.stop());
  const shop = await startShop({ DNS_SERVERS: dns.address });
  onTestFinished(() => shop.stop());
  const token = await shop.buyer();
  const { id, email } = await shop.get("/email/order", {
    token,
    site: "discord.com",
    domain: "letters.test",
  });
  const letter = {
    from: "Discord <discord@mailer.example>",
    to: String(email),
    subject: "Verify your address",
    text: "Your verification code is 482913.",
    dkim: { domainName: key.domain, keySelector: key.selector, privateKey: key.pem },
  };
  await shop.send(letter);
  await vi.waitFor(
    async () =>
      expect(await shop.get("/email/getmessage", { token, id: String(id) })).toMatchObject({
        status: "success",
        code: "482913",
      }),
    soon,
  );
  await vi.waitFor(async () => {
    const counted = await (await fetch(`${shop.url}/metrics`)).text();
    for (const check of ["spf", "dkim", "dmarc"])
      expect(counted).toContain(`postern_letters_authenticated_total{check="${check}",result="pass"} 1`);
  }, soon);
});
