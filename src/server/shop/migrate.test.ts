import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";

test("migrate --dry-run says which migrations would run and who would wait, and changes nothing", async () => {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const plan = async () => (await sayTo(db, ["migrate", "--dry-run"])).out;
  expect(await plan()).toBe("The database has every migration and function.\n");
  await db`delete from applied where name ~ '^(0095|0117)'`;
  const said = await plan();
  expect(said.split("\n")).toEqual([
    expect.stringMatching(/^0095_\w+: /),
    expect.stringMatching(
      /^ {2}\w+: writes rows; who writes it waits while its rows are gone through \(about 0\)$/,
    ),
    expect.stringMatching(/^0117_\w+: /),
    "  users: refers to it; who writes it waits for a moment",
    "  event: changes the table; everybody waits for a moment",
    "Processes that run now may go on meanwhile.",
    expect.stringContaining("at most 30 seconds"),
    "",
  ]);
  expect(await plan()).toBe(said);
  await db`delete from applied where name > '0060'`;
  expect(await plan()).toMatch(/^Stop every process first: those that run now do not know 00\d\d_/m);
});
