// A process that leases the job "shared" for as long as it is let: says "began", and "ended" with why when its signal tells it to stop.
import { connect } from "../../src/server/platform/db/db.ts";
import { Scheduler } from "../../src/server/platform/jobs/scheduler.ts";

const [url = "", leaseMs = ""] = process.argv.slice(2);
const db = connect(url, { max: 2 });
const scheduler = new Scheduler(db, { leaseMs: Number(leaseMs) });
const say = (text: string) => process.stdout.write(`${text}\n`);

const job = scheduler.add({
  name: "shared",
  seconds: 3600,
  log: { error: () => undefined },
  work: async (signal) => {
    say("began");
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    say(`ended: ${String(signal.reason)}`);
  },
});
await job.now();
await job.stop();
await db.end({ timeout: 1 });
