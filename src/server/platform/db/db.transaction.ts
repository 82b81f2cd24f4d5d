// One transaction, on a connection of its own.
import type { Writable } from "node:stream";
import { DatabaseError } from "pg";
import type { Link } from "./db.link.ts";
import { type Given, Plan, type Query, type Rows, type Speaker } from "./db.query.ts";
import { Copying, givenBy, Giving, Statement } from "./db.statement.ts";

const commit = new Plan("commit", []);
const rollback = new Plan("rollback", []);
/** SQLSTATE in_failed_sql_transaction: something before it failed. */
const failedBefore = "25P02";

export class Transaction implements Speaker {
  readonly #link: Link;
  readonly #begin: Plan;
  #state: "new" | "beginning" | "open" | "over" = "new";
  /** What waits until it has begun. */
  readonly #waiting: Statement[] = [];
  /** The first fault of a statement: even if its caller has caught it, nothing is left to commit. */
  #fault: Error | undefined;

  constructor(link: Link, begin: Plan) {
    this.#link = link;
    this.#begin = begin;
  }

  async say(query: Query): Promise<Rows> {
    return this.#give(new Statement(query)).done;
  }

  async copy(query: Query): Promise<Writable> {
    return this.#give(new Copying(query)).writable;
  }

  async give(query: Query): Promise<Given> {
    return givenBy(this.#give(new Giving(query)));
  }

  /** Runs `work`, and commits when it has answered. Ends with a fault as soon as the connection is lost. */
  async run<Answer>(work: (speaker: Speaker) => Promise<Answer>): Promise<Answer> {
    const lost = new Promise<never>((_, refuse) => this.#link.onLost(refuse));
    lost.catch(() => undefined);
    try {
      const answer = await Promise.race([work(this), lost]);
      if (this.#fault !== undefined) throw this.#fault;
      const did = await this.#finish(commit);
      if (did === "ROLLBACK") throw this.#fault ?? new Error("the database undid the transaction");
      return answer;
    } catch (fault) {
      await this.#undo().catch(() => undefined);
      const isAfter = fault instanceof DatabaseError && fault.code === failedBefore;
      throw isAfter ? (this.#fault ?? fault) : fault;
    }
  }

  /** Says the last statement; answers what the database says that it did. */
  async #finish(plan: Plan): Promise<string> {
    const isUnused = this.#state === "new";
    const last = isUnused ? undefined : this.#give(new Statement(plan));
    this.#state = "over";
    await last?.done;
    return last?.command ?? "";
  }

  async #undo(): Promise<void> {
    // A COMMIT that failed has ended it, but how it stands is known with the next answer.
    if (this.#state === "over") await this.#link.send(new Statement(rollback)).done;
    else await this.#finish(rollback);
  }

  #give<Kind extends Statement>(statement: Kind): Kind {
    statement.refused = (fault) => (this.#fault ??= fault);
    if (this.#state === "over") statement.refuseUnsent(this.#whyOver());
    else if (this.#state === "open") this.#link.send(statement);
    else if (this.#state === "beginning") this.#waiting.push(statement);
    else this.#start(statement);
    return statement;
  }

  /** Sends BEGIN with the first statement, in one piece: where it fails, the statement is not done. What is said meanwhile waits. */
  #start(statement: Statement): void {
    this.#state = "beginning";
    const first = statement.canBegin ? statement : new Statement(this.#begin);
    if (statement === first) statement.begin = this.#begin;
    else {
      first.refused = statement.refused;
      this.#waiting.push(statement);
    }
    const begun = () => this.#begun(first === statement ? first.hasBegun : first.command === "BEGIN");
    this.#link.send(first).done.then(begun, begun);
  }

  #whyOver(): Error {
    return this.#link.lost ?? this.#fault ?? new Error("the transaction is over");
  }

  #begun(hasBegun: boolean): void {
    if (!hasBegun) this.#state = "over";
    else if (this.#state === "beginning") this.#state = "open";
    for (const statement of this.#waiting.splice(0)) {
      if (hasBegun) this.#link.send(statement);
      else statement.refuseUnsent(this.#whyOver());
    }
  }
}
