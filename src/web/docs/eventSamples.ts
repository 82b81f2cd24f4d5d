import type { EventName } from "../../contract/event-names.ts";
import type { EventBody } from "../../contract/events.ts";
import type { DocumentedCall } from "./calls.ts";

/** One body of each event; the compiler checks them against the contract. */
export const eventSamples: { [Name in EventName]: EventBody<Name> } = {
  activation: {
    activation_id: "40000000001",
    from: "instagram.com",
    email: "nora.k@letters.test",
    status: 0,
    price: 0.0035,
    created_at: 1_795_258_800,
    expires_at: 1_795_260_000,
  },
  letter: {
    activation_id: "40000000001",
    letter_id: "60000000812",
    from: "instagram.com",
    email: "nora.k@letters.test",
    sender: "no-reply@mail.instagram.com",
    subject: "482910 is your Instagram code",
    received_at: 1_795_258_860,
    code: "482910",
  },
  balance: { balance: "1.2465" },
  balance_low: { balance: "1.2465", threshold: "2.0" },
  refund: {
    activation_id: "40000000001",
    from: "instagram.com",
    email: "nora.k@letters.test",
    amount: "0.0035",
    balance: "1.25",
    reason: "expired",
  },
  payment: { id: "90000000001", payment_status: 1 },
  backorder: {
    backorder_id: "52703829114021",
    from: "instagram.com",
    state: "placed",
    activation_id: "40000000001",
    email: "nora.k@letters.test",
  },
};

export const bodiesSample: string = Object.entries(eventSamples)
  .map(([name, body]) => `event: ${name}\n${JSON.stringify(body, null, 2)}`)
  .join("\n\n");

const eventText = (id: number, name: string, data: object) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** What a client receives that resumes after event 90000090210. */
const streamSample: string = [
  eventText(90_000_090_210, "ready", { id: "90000090210" }),
  eventText(90_000_090_214, "letter", eventSamples.letter),
  eventText(90_000_090_215, "activation", { ...eventSamples.activation, status: 1 }),
]
  .join("")
  .trimEnd();

export const fileSample = `id,at,kind,amount,balance,activation_id,reason,site,email,payment_id
31,2026-11-21T11:00:00.000Z,hold,-0.0035,1.2465,40000000001,,instagram.com,nora.k@letters.test,
30,2026-11-21T10:46:40.000Z,topup,1.25,1.25,,,,,90000000001`;

const letterSample = `From: Instagram <no-reply@mail.instagram.com>
To: anna.keller@letters.test
Subject: 482910 is your Instagram code
Content-Type: text/html; charset=utf-8

<p>Your code is <b>482910</b></p>`;

const orderFileSample = `activation_id,site,email,state,price,created_at,received_at,code,link,sender,subject
40000000001,instagram.com,anna.keller@letters.test,received,0.0035,2026-11-21T11:00:00.000Z,2026-11-21T11:01:00.000Z,482910,,no-reply@mail.instagram.com,482910 is your Instagram code`;

export const webhookSample = `POST /letters HTTP/1.1
content-type: application/json
webhook-id: msg_2pQ8sV1nB6xT0wLr5YhC9d
webhook-timestamp: 1795258860
webhook-signature: v1,RpnQbqWyU1/Zqd+tsTIZixaep8KhqmT48qDDCIGr7qA=

${JSON.stringify({ type: "letter", timestamp: "2026-11-21T11:01:00.000Z", data: eventSamples.letter })}`;

/** The example of a call's answer as it comes. */
export function answerOf({
  name,
  carried,
  example,
}: Pick<DocumentedCall, "name" | "carried" | "example">): string {
  if (carried === "events") return streamSample;
  if (name === "historyFile") return orderFileSample;
  if (carried === "eml") return letterSample;
  if (carried === "csv") return fileSample;
  const envelope = carried === "bare" ? {} : { status: "success" };
  return JSON.stringify({ ...envelope, ...example.reply }, null, 2);
}
