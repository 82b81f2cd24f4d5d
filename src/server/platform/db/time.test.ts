import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase, withOwnClock } from "../../../../test/kit/database.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { now, secondsAfter } from "../clock.ts";
import { createLog } from "../log.ts";
import { openClockWatch } from "./time.ts";

const database = await createDatabase();

test.each([600, -600])(
  "a clock that is %i s ahead is told of once, at the start or within a minute, and also that it is right again",
  async (seconds) => {
    let logged = "";
    const warnings = () => logged.match(/"level":"warn"/g)?.length ?? 0;
    const clock = await withOwnClock(database);
    await clock.set(secondsAfter(now(), -seconds));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const log = createLog("info", { write: (line: string) => void (logged += line) });
    const watch = await openClockWatch(clock.db, log);
    onTestFinished(() => watch.close());
    expect(watch.secondsOff()).toBe(seconds);
    expect(Math.round(watch.secondsAhead())).toBe(seconds);
    expect(warnings()).toBe(1);

    await clock.set(secondsAfter(now(), -2 * seconds));
    vi.advanceTimersByTime(60_000);
    await expect.poll(watch.secondsOff, soon).toBe(2 * seconds);
    expect(warnings()).toBe(1);

    await clock.set(now());
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => logged, soon).toContain("agree again");
    expect(watch.secondsOff()).toBe(0);

    await clock.set(secondsAfter(now(), -seconds));
    vi.advanceTimersByTime(60_000);
    await expect.poll(warnings, soon).toBe(2);
  },
);

test("clocks that differ by less than the way there and back are the same", async () => {
  const watch = await openClockWatch(database.db, createLog("silent"));
  onTestFinished(() => watch.close());
  expect(Math.abs(watch.secondsAhead())).toBeLessThan(5);
  expect(watch.secondsOff()).toBe(0);
});
