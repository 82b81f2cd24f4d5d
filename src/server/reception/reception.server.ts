// The library's server, with what RFC 5321 has of commands beyond it.
import { SMTPServer } from "smtp-server";
import { SMTPConnection } from "smtp-server/lib/smtp-connection.js";

/** RFC 5321 §4.5.3.1.4 asks for 512, and extensions for some more. */
const lineBytesMax = 4096;
/** As long as a line may be that is answered; a longer one ends the connection. */
export const readBytesMax = 16 * lineBytesMax;
const unrecognizedMax = 10;

// RFC 5321 §4.1.2, with the letters of RFC 6531 §3.3. Controls and invisible signs are left to the library's refusal.
const quotedPattern = /^([^<"]*<(?:@[^:"]*:)?)("(?:[^"\\\p{Cc}\p{Cf}]|\\[^\p{Cc}\p{Cf}])+")(@.*)$/su;

/** Whether an address, as the client wrote it, has more than ASCII. The library shows ASCII names of domains in Unicode. */
export const isUnicode = (address: object): boolean => inUnicode.has(address);
const inUnicode = new WeakSet<object>();

class Connection extends SMTPConnection {
  /** Answers a long line and goes on with the next (RFC 5321 §4.3.2); the library would close. */
  override _onCommand(command: Buffer, done?: () => void): void {
    const isEarly = !this._ready || this._upgrading;
    if (command.length <= lineBytesMax || isEarly) return super._onCommand(command, done);
    if (++this._unrecognizedCommands >= unrecognizedMax)
      return this.send(421, "Error: too many unrecognized commands");
    this.send(500, "Line too long");
    if (done) setImmediate(() => this._whenWritable(done));
  }

  /** Reads a quoted name too, which may have blanks, `@`, `<` and `>`: the library splits at them. */
  override _parseAddressCommand(name: string, given: Buffer | string) {
    const command = given.toString();
    const [, before = "", quoted = "", after = ""] = quotedPattern.exec(command) ?? [];
    const parsed = super._parseAddressCommand(name, quoted ? `${before}quoted${after}` : command);
    if (!parsed) return false;
    if (quoted) parsed.address = parsed.address.replace(/^quoted/, () => quoted);
    if (/[^\p{ASCII}]/u.test(command)) inUnicode.add(parsed);
    return parsed;
  }
}

export class Server extends SMTPServer {
  override connect(...[socket, options]: Parameters<SMTPServer["connect"]>): void {
    const connection = new Connection(this, socket, options);
    this.connections.add(connection);
    connection.on("error", (fault) => this._onError(fault));
    connection.on("connect", (info) => this._onClientConnect(info));
    connection.init();
  }
}
