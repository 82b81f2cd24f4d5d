// A site where one signs up: it mails a code to the address, and lets in who knows it.
import { randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { createTransport } from "nodemailer";
import { askForCode, signUp, welcome } from "./pages.js";

// A shop on this machine has made its certificate itself.
const { PORT = "4000", MAIL_URL = "smtp://127.0.0.1:2525?ignoreTLS=true" } = process.env;
const triesMax = 5;
const bodyBytesMax = 10_000;

const mail = createTransport(MAIL_URL);
/** By the id in the form: who wants to sign up, and with which code. */
const pending = new Map();

async function sendCode(email) {
  const id = randomUUID();
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  pending.set(id, { email, code, tries: 0 });
  await mail.sendMail({
    from: "Parcels <no-reply@parcels.example.com>",
    to: email,
    subject: "Confirm your email",
    text: `Welcome to Parcels!\n\nYour confirmation code is ${code}.\nIt is valid for this sign-up only.\n`,
  });
  return id;
}

/** The email of a right code, which can be used once. */
function confirm(id, code) {
  const asked = pending.get(id);
  if (asked === undefined || ++asked.tries > triesMax) return undefined;
  const [said, wanted] = [Buffer.from(code), Buffer.from(asked.code)];
  if (said.length !== wanted.length || !timingSafeEqual(said, wanted)) return undefined;
  pending.delete(id);
  return asked.email;
}

async function formOf(request) {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > bodyBytesMax) throw new RangeError("the form is too long");
  }
  return new URLSearchParams(text);
}

async function pageFor(request) {
  if (request.method !== "POST") return signUp();
  const form = await formOf(request);
  const email = form.get("email");
  if (email !== null) return askForCode(await sendCode(email));
  const id = form.get("id") ?? "";
  const known = confirm(id, form.get("code") ?? "");
  return known === undefined ? askForCode(id, "This code is wrong.") : welcome(known);
}

createServer((request, response) => {
  pageFor(request).then(
    (page) => response.setHeader("content-type", "text/html; charset=utf-8").end(page),
    (fault) => response.writeHead(500).end(String(fault)),
  );
}).listen(Number(PORT), "127.0.0.1");
