// @module-tag slow
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { alertsAt } from "../src/server/platform/alerts.ts";
import { checkRules, noPromtool, rulesPath, type Series, temporary, tryRules } from "./kit/promtool.ts";
import { startShop } from "./kit/shop.ts";
import { openTelegramServer } from "./kit/telegram.ts";

// The alerts of docs/alerts.yml and the dashboards of docs/dashboards, on what a shop really says of itself.

const root = fileURLToPath(new URL("..", import.meta.url));
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations?: object;
}
const { groups } = parse(readFileSync(rulesPath, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

/** What a new shop with a bot tells Prometheus. */
let said: Promise<string> | undefined;
const newShop = (): Promise<string> => (said ??= askNewShop());
async function askNewShop(): Promise<string> {
  const telegram = await openTelegramServer();
  onTestFinished(() => telegram.close());
  const backups = mkdtempSync(join(tmpdir(), "postern-backups-"));
  onTestFinished(() => rmSync(backups, { recursive: true }));
  const shop = await startShop({ ...telegram.settings, BACKUP_DIR: backups });
  onTestFinished(() => shop.stop());
  return (await fetch(`${shop.url}/metrics`)).text();
}

/** The series that a shop tells, and what Prometheus says itself: whether it was answered. */
async function toldNames(): Promise<ReadonlySet<string>> {
  const types = [...(await newShop()).matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const parts = ["_bucket", "_sum", "_count"];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? parts.map((part) => name + part) : [name],
    ),
  ).add("up");
}

/** The names of series in an expression: what stands before a choice of labels, a range, or alone in a comparison. */
const namesIn = (expression: string): string[] => {
  const bare = expression.replaceAll(/\{[^}]*\}|"[^"]*"|\b(?:by|without) *\([^)]*\)/g, "");
  return [...bare.matchAll(/\b(?:up|(?:postern|process|nodejs)_\w+)\b/g)].map(([name]) => name);
};

test("each alert is about something that a shop tells", { timeout: 60_000 }, async () => {
  const told = await toldNames();
  for (const { alert, expr } of rules) {
    const names = namesIn(expr);
    expect([alert, names.length > 0, names.filter((name) => !told.has(name))]).toEqual([alert, true, []]);
  }
});

test("a shop tells nothing by a label that Prometheus gives itself: it would rename ours, and each alert would name the shop", async () => {
  const taken = [...(await newShop()).matchAll(/^postern_\w+\{(?:.*,)?(?:job|instance)=.*$/gm)];
  expect(taken.map(([line]) => line)).toEqual([]);
});

test("what the shop itself says of a trouble begins where its alert rings", () => {
  for (const [name, from] of Object.entries(alertsAt)) {
    const { expr = "" } = rules.find(({ alert }) => alert === name) ?? {};
    const compared = [...expr.matchAll(/[<>] ([\d.e]+(?: \* [\d.e]+)*)/g)].map(([, product = ""]) =>
      product.split(" * ").reduce((made, factor) => made * Number(factor), 1),
    );
    expect([name, compared]).toEqual([name, expect.arrayContaining([from])]);
  }
});

test("each alert has its paragraph in the runbooks, and each of these an alert", () => {
  const text = readFileSync(join(root, "docs/runbooks.md"), "utf8");
  const paragraphs = text.split(/^### /m).slice(1);
  const told = paragraphs.map((paragraph) => paragraph.slice(0, paragraph.indexOf("\n")));
  expect(told.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  const empty = paragraphs.filter((paragraph) => !/\*\*Look\.\*\* .+ \*\*Do\.\*\* ./s.test(paragraph));
  expect(empty).toEqual([]);
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<"x" | "y" | "w" | "h", number>>;
  readonly targets: readonly { readonly expr: string }[];
}
const boards = readdirSync(join(root, "docs/dashboards")).map((name) => {
  const read = JSON.parse(readFileSync(join(root, "docs/dashboards", name), "utf8")) as {
    uid: string;
    panels: Panel[];
  };
  return { name, ...read, asked: read.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)) };
});

test("each dashboard asks for what a shop tells, and has a place of its own for each plot", async () => {
  const told = await toldNames();
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(5);
  for (const { name, panels, asked } of boards) {
    expect([name, asked.flatMap(namesIn).filter((series) => !told.has(series))]).toEqual([name, []]);
    expect([name, asked.filter((expression) => namesIn(expression).length === 0)]).toEqual([name, []]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`),
    );
    expect([name, new Set(places).size]).toEqual([name, places.length]);
    expect([name, panels.filter(({ gridPos: { x, w } }) => x + w > 24)]).toEqual([name, []]);
  }
});

test("whatever a shop tells of itself is in the documents, and in a dashboard or an alert", async () => {
  const used = new Set(
    [...boards.flatMap(({ asked }) => asked), ...rules.map(({ expr }) => expr)].flatMap(namesIn),
  );
  const ofShop = [...(await newShop()).matchAll(/^# TYPE (postern_\w+)/gm)].map(([, name = ""]) => name);
  expect(ofShop.length).toBeGreaterThan(40);
  expect(ofShop.filter((name) => !used.has(name) && !used.has(`${name}_bucket`))).toEqual([]);
  const documents = readFileSync(join(root, "docs/operations.md"), "utf8");
  expect(ofShop.filter((name) => !new RegExp(`\\b${name}\\b`).test(documents))).toEqual([]);
});

interface Case {
  readonly interval: string;
  readonly input_series: readonly Series[];
  readonly alert_rule_test: readonly { eval_time: string; alertname: string; exp_alerts: object[] }[];
}

/** Has promtool try the rules; answers what it complains of. Their sentences are left out of the trial. */
function complaints(tests: readonly Case[]): string {
  const silent = rules.map((rule) => ({ ...rule, annotations: {} }));
  return tryRules(temporary("rules.json", { groups: [{ name: "postern", rules: silent }] }), "1m", tests);
}

/** A series that keeps its value, or grows by `step` a minute. */
const still = (series: string, value: number, step = 0): Series => ({
  series,
  values: `${value}+${step}x150`,
});

/** A counter that grows by `step` a minute for half an hour and then stands. */
const stopped = (series: string, step: number): Series => ({
  series,
  values: `0+${step}x29 ${29 * step}+0x120`,
});

/** Expects of the alert to ring with these labels after so many minutes, or not at all. */
const ring = (alertname: string, labels: Record<string, string>[] = [], minutes = 60) => ({
  eval_time: `${minutes}m`,
  alertname,
  exp_alerts: labels.map((exp_labels) => ({ exp_labels })),
});

const lagOf = (queue: string) => `postern_queue_lag_seconds{queue="${queue}"}`;
const answered = (answer: string) => `postern_http_answers_total{route="/email/order",answer="${answer}"}`;
const replied = (reply: string) => `postern_smtp_replies_total{step="DATA",reply="${reply}"}`;
const refused = 'postern_orders_total{outcome="no emails"}';
const placed = 'postern_orders_total{outcome="placed"}';
const ended = (end: string) => `postern_orders_ended_total{end="${end}"}`;
const cases: [string, Series | Series[], Record<string, string>[], minutes?: number][] = [
  ["ProcessGone", still('up{job="postern"}', 0), [{ job: "postern" }]],
  ["ProcessGone", still('up{job="node"}', 0), []],
  ["StandsStill", still('postern_stands_still{part="pool"}', 1), [{ part: "pool" }]],
  ["DatabaseGone", still('postern_up{part="database"}', 0), [{ part: "database" }]],
  ["PartDown", still('postern_up{part="jobs"}', 0), [{ part: "jobs" }]],
  ["ShopFails", [still(answered("server"), 0, 2), still(answered("ok"), 0, 100)], [{}]],
  ["ShopFails", [still(answered("server"), 0, 2), still(answered("ok"), 0, 300)], []],
  ["ShopFails", [still(answered("server"), 0, 1), still(answered("ok"), 0, 10)], []],
  ["ShopFails", [still(answered("refused"), 0, 100), still(answered("limit"), 0, 100)], []],
  ["LettersPutOff", [still(replied("451"), 0, 2), still(replied("250"), 0, 20)], [{}]],
  ["LettersPutOff", [still(replied("452 4.3.1"), 0, 2), still(replied("250"), 0, 20)], [{}]],
  ["LettersPutOff", [still(replied("451"), 0, 2), still(replied("250"), 0, 60)], []],
  ["LettersPutOff", [still(replied("421"), 0, 20), still(replied("552"), 0, 20)], []],
  ["DatabaseBusy", still('postern_db_wait_seconds_total{pool="calls"}', 0, 90), [{ pool: "calls" }]],
  ["DatabaseBusy", still('postern_db_wait_seconds_total{pool="calls"}', 0, 30), []],
  ["DiskLow", still("postern_data_free_bytes", 1.9e9), [{}]],
  ["NothingSold", stopped(placed, 20), [{}], 120],
  ["NothingSold", stopped(placed, 2), [], 120],
  ["NothingSold", still(placed, 0, 20), []],
  ["LettersMissing", [still(ended("expired"), 0, 1), still(ended("received"), 0, 0.1)], [{}]],
  ["LettersMissing", [still(ended("expired"), 0, 1), still(ended("received"), 0, 1)], []],
  ["NoAddressLeft", [still(refused, 0, 2), still(placed, 0, 7)], [{}]],
  ["NoAddressLeft", [still(refused, 0, 2), still(placed, 0, 9)], []],
  ["NoAddressLeft", [still(refused, 0, 1), still(placed, 0, 1)], []],
  ["StockOut", still('postern_stock{domain="letters.test"}', 0), [{ domain: "letters.test" }]],
  ["CertificateEnds", still("postern_certificate_left_seconds", 6 * 24 * 3600), [{}]],
  ["CertificateEnds", still("postern_certificate_left_seconds", 8 * 24 * 3600), []],
  ["ClockWrong", still("postern_clock_ahead_seconds", 6), [{}]],
  ["ClockWrong", still("postern_clock_ahead_seconds", -600), [{}]],
  ["ClockWrong", still("postern_clock_ahead_seconds", 5), []],
  ["JobFails", still('postern_job_failures{name="close the day"}', 3), [{ name: "close the day" }]],
  ["JobFails", still('postern_job_failures{name="close the day"}', 2), []],
  ["JobLate", still('postern_job_late_seconds{name="expire"}', 61), [{ name: "expire" }]],
  ["StockLow", still('postern_stock{domain="letters.test"}', 19), [{ domain: "letters.test" }]],
  ["MailWaits", still('postern_queue{queue="mail",state="retried"}', 1), [{ queue: "mail" }]],
  ["MailWaits", still('postern_queue{queue="mail",state="fresh"}', 1), []],
  ["NobodySendsMail", still(lagOf("codes"), 1, 60), [{ queue: "codes" }]],
  ["NobodySendsWebhooks", still(lagOf("webhooks"), 0, 60), [{ queue: "webhooks" }]],
  ["NobodySendsWebhooks", still('postern_queue{queue="webhooks",state="resting"}', 0, 60), []],
  ["BotSilent", still(lagOf("bot"), 0, 60), [{ queue: "bot" }]],
  ["Guessing", still('postern_refused_total{kind="login"}', 0, 11), [{ kind: "login" }]],
  ["Guessing", still('postern_refused_total{kind="login"}', 0, 9), []],
  ["GuessingAtTheBackOffice", still('postern_refused_total{kind="admin"}', 0, 3), [{}]],
  ["RoleGiven", still('postern_account_total{call="grantRole"}', 0, 1), [{}]],
  ["ManyResets", still('postern_account_total{call="disown"}', 0, 1), [{}]],
  ["ManyResets", still('postern_account_total{call="authorize"}', 0, 100), []],
  ["AuditBroken", still("postern_audit_broken", 1), [{}]],
  ["AuditOld", still("postern_audit_age_seconds", 172_801), [{}]],
  ["AuditOld", still("postern_audit_age_seconds", 0, 60), []],
  ["BackupOld", still("postern_backup_age_seconds", 108_001), [{}]],
  ["BackupOld", still("postern_backup_age_seconds", 108_000), []],
  [
    "NamesNotResolved",
    still('postern_letters_authenticated_total{check="dkim",result="temperror"}', 0, 20),
    [{}],
  ],
  [
    "MailboxesRefused",
    still('postern_imap_refused{host="imap.test:993"}', 0, 1),
    [{ host: "imap.test:993" }],
  ],
  ["FilesExhausted", still("postern_files_exhausted_seconds_total", 0, 1), [{}]],
  ["FilesExhausted", still("postern_files_exhausted_seconds_total", 7), []],
  ["ChainFails", still('postern_chain_failing{chain="litecoin"}', 1), [{ chain: "litecoin" }]],
  ["ChainLate", still('postern_chain_lag_seconds{chain="litecoin"}', 0, 61), [{ chain: "litecoin" }]],
  [
    "PaymentInReview",
    still('postern_payments{chain="litecoin",state="review"}', 1),
    [{ chain: "litecoin", state: "review" }],
  ],
  ["WithdrawalWaits", still("postern_withdrawal_oldest_seconds", 172_801), [{}]],
  ["WithdrawalWaits", still("postern_withdrawal_oldest_seconds", 172_800), []],
  ["MoneyUnexplained", still('postern_chain_unexplained{chain="litecoin"}', 1), [{ chain: "litecoin" }]],
];

// Without promtool as well: else an alert without a case is found at a release.
test("each alert has a case that rings it", () => {
  const rung = cases.flatMap(([alert, , labels]) => (labels.length > 0 ? [alert] : []));
  expect(new Set(rung)).toEqual(new Set(rules.map(({ alert }) => alert)));
});

test.skipIf(noPromtool !== "")(`Prometheus understands what each dashboard asks ${noPromtool}`, () => {
  const asked = boards
    .flatMap((board) => board.asked)
    .map((expr) => expr.replaceAll("$__rate_interval", "5m"));
  const recorded = asked.map((expr, nth) => ({ record: `asked_${nth}`, expr }));
  const path = temporary("rules.json", { groups: [{ name: "dashboards", rules: recorded }] });
  expect(checkRules(path)).toContain(`SUCCESS: ${asked.length} rules found`);
});

test.skipIf(noPromtool !== "")(`a new shop rings none of the alerts ${noPromtool}`, async () => {
  const series = [...(await newShop()).matchAll(/^(postern_\w+(?:\{.*\})?) (\S+)$/gm)].map(
    ([, name, value]) => still(name ?? "", Number(value)),
  );
  expect(series.length).toBeGreaterThan(20);
  const none = rules.map(({ alert }) => ring(alert));
  expect(complaints([{ interval: "1m", input_series: series, alert_rule_test: none }])).toBe("");
});

test.skipIf(noPromtool !== "")(
  `each alert rings for what it is about, and for that alone ${noPromtool}`,
  () => {
    // What is sold out is low, too.
    const implied: Record<string, string[]> = { StockOut: ["StockLow"] };
    const tests = cases.map(([alert, series, labels, minutes]) => ({
      interval: "1m",
      input_series: [series].flat(),
      alert_rule_test: rules
        .filter((rule) => rule.alert === alert || !implied[alert]?.includes(rule.alert))
        .map((rule) => ring(rule.alert, rule.alert === alert ? labels : [], minutes)),
    }));
    expect(checkRules(rulesPath)).toContain(`SUCCESS: ${rules.length} rules found`);
    expect(complaints(tests)).toBe("");
  },
);
