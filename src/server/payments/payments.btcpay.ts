// Webhooks of a BTCPay Server trigger a poll. Their content is not trusted, so a forged one does no more than that.
import { createHmac } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Log } from "../platform/log.ts";
import { isSameSecret } from "../platform/seal.ts";
import { NodeTrouble } from "./networks/nodes/nodes.ts";
import type { Payments } from "./payments.ts";

const path = "/api/btcpay/webhook";

interface Parts {
  readonly payments: Pick<Payments, "poll">;
  readonly secret: string;
  readonly log: Log;
}

/** Takes the calls. Answers 503 when the poll fails, so that the server calls again. */
export async function receiveBtcpay(app: FastifyInstance, { payments, secret, log }: Parts): Promise<void> {
  const poll = oneAfterAnother(() => payments.poll("btcpay"));
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The signature covers the bytes.
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    scope.post(path, async ({ headers, body }, reply) => {
      const signature = headers["btcpay-sig"];
      const expected = Buffer.isBuffer(body) && signatureOf(body, secret);
      if (typeof signature !== "string" || expected === false || !isSameSecret(signature, expected))
        return reply.code(401).send();
      try {
        await poll();
      } catch (fault) {
        if (fault instanceof NodeTrouble)
          log.warn({ why: fault.message }, "a call of BTCPay could not be followed");
        else log.error({ err: fault }, "a call of BTCPay failed");
        return reply.code(503).send();
      }
      return reply.code(200).send();
    });
  });
}

const signatureOf = (body: Buffer, secret: string) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/** Merges calls: those made while the work runs share one more run after it. */
function oneAfterAnother(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return (running = work());
      });
    return next;
  };
}
