// What servers call a wrong password. Whatever else they say to a log-in is "not now": a busy server must cost no mailbox.
import type { ImapFlowError } from "imapflow";

/** RFC 5530 §3. */
const wrong = new Set(["AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED"]);

/** Words of a server that would let in later, even beside a code or a sentence about the password. */
const later =
  /temporar|\bbusy|too many|maximum|limit|throttl|unavailable|try again|later|overload|timed? ?out|internal|server (?:error|problem|failure)|system|connections?\b|wait/i;

/** Whole sentences of servers without codes: Cyrus, Courier, Exchange, hMailServer, UW, Zimbra, MailEnable, Axigen, NetEase. */
const sentences = [
  /^(?:log-?in|authenticat(?:e|ion)|auth)(?: has)? (?:failed|failure|incorrect|rejected|denied|error)(?:[:,] (?:authentication failure|user not found|(?:bad|invalid|wrong|incorrect) .*(?:password|credentials|login)))?$/,
  /^(?:log-?in |authentication |imap )*(?:bad|invalid|wrong|incorrect)(?: (?:log-?in|user ?(?:name|id)?|mailbox|account|email)(?: ?(?:or|and|and\/or|\/|,) ?)?)*(?: ?(?:password|credentials?|log-?in))?(?: ?\(failure\))?$/,
  /^(?:the )?(?:user ?name|user|log-?in|account|email)(?: ?(?:or|and|and\/or|\/) ?)(?:the )?password (?:is |are |was )?(?:bad|invalid|wrong|incorrect|not (?:correct|valid))$/,
  /^(?:the )?password (?:is |was |has )?(?:bad|invalid|wrong|incorrect|expired|not correct)$/,
  /^(?:log-?in )?log-?in error or password error$/,
  /^bad log-?in user name and\/or password$/,
  /^(?:user|account|mailbox) (?:unknown|not found|does not exist|(?:is )?(?:disabled|locked|suspended|blocked))$/,
];

/** Whether the server said that this password is wrong, and nothing else. */
export function isRefused(fault: unknown): boolean {
  const { authenticationFailed, responseStatus, serverResponseCode, responseText, response } =
    fault as Partial<ImapFlowError>;
  if (authenticationFailed !== true || responseStatus !== "NO") return false;
  const text = responseText ?? (typeof response === "string" ? response : "");
  const sentence = text.replace(/^\[[^\]]*\]\s*/, "");
  if (later.test(sentence)) return false;
  if (serverResponseCode !== undefined && serverResponseCode !== "")
    return wrong.has(serverResponseCode.toUpperCase());
  return isWrongPassword(sentence);
}

/** Whether a sentence of a server, without its code, is one about a wrong password. */
export function isWrongPassword(sentence: string): boolean {
  const plain = sentence
    .toLowerCase()
    .replaceAll(/[.!]+$/g, "")
    .replace(/^(?:error|no)[:,]? /, "")
    .trim();
  return sentences.some((each) => each.test(plain));
}

/** Whether the server answered the log-in, so that it is there: not now, but later. */
export function isPutOff(fault: unknown): boolean {
  return (fault as Partial<ImapFlowError>).authenticationFailed === true;
}
