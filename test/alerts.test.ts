// @module-tag slow
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startShop } from "./kit/shop.ts";
import { openTelegramServer } from "./kit/telegram.ts";

// The alerts of docs/alerts.yml, on what a shop really says of itself.

const root = fileURLToPath(new URL("..", import.meta.url));
const rulesPath = join(root, "docs/alerts.yml");
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations?: object;
}
const { groups } = parse(readFileSync(rulesPath, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

const noted = join(root, ".cache/prometheus/path");
const promtool = existsSync(noted) ? readFileSync(noted, "utf8") : "";
const noPromtool =
  promtool === ""
    ? "SKIPPED: there is no promtool here (node scripts/setup.mjs prometheus unpacks Debian's)"
    : "";

/** What a new shop with a bot tells Prometheus. */
async function newShop(): Promise<string> {
  const telegram = await openTelegramServer();
  onTestFinished(() => telegram.close());
  const backups = mkdtempSync(join(tmpdir(), "postern-backups-"));
  onTestFinished(() => rmSync(backups, { recursive: true }));
  const shop = await startShop({ ...telegram.settings, BACKUP_DIR: backups });
  onTestFinished(() => shop.stop());
  return (await fetch(`${shop.url}/metrics`)).text();
}

test("each alert is about something that a shop tells", { timeout: 60_000 }, async () => {
  const told = new Set([...(await newShop()).matchAll(/^# TYPE (postern_\w+)/gm)].map(([, name]) => name));
  for (const { alert, expr } of rules) {
    const names = expr.match(/postern_\w+/g) ?? [];
    expect([alert, names.length > 0, names.filter((name) => !told.has(name))]).toEqual([alert, true, []]);
  }
});

interface Case {
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly alert_rule_test: readonly { eval_time: string; alertname: string; exp_alerts: object[] }[];
}

/** Has promtool read the rules and try them; answers what it complains of. Their sentences are left out of the trial. */
function complaints(tests: readonly Case[]): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // JSON is YAML.
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const silent = rules.map((rule) => ({ ...rule, annotations: {} }));
  const tried = write("rules.json", { groups: [{ name: "postern", rules: silent }] });
  const path = write("tests.json", { rule_files: [tried], evaluation_interval: "1m", tests });
  return [
    ["check", "rules", rulesPath],
    ["test", "rules", path],
  ]
    .map((asked) => spawnSync(promtool, asked, { encoding: "utf8" }))
    .map(({ status, stdout, stderr }) => (status === 0 ? "" : stdout + stderr))
    .join("");
}

/** A series that keeps its value, or grows by `step` a minute. */
const still = (series: string, value: number, step = 0) => ({ series, values: `${value}+${step}x90` });

/** Expects of the alert to ring with these labels after an hour, or not at all. */
const ring = (alertname: string, ...labels: Record<string, string>[]) => ({
  eval_time: "60m",
  alertname,
  exp_alerts: labels.map((exp_labels) => ({ exp_labels })),
});

test.skipIf(promtool === "")(
  `a new shop rings none of the alerts ${noPromtool}`,
  { timeout: 60_000 },
  async () => {
    const series = [...(await newShop()).matchAll(/^(postern_\w+(?:\{.*\})?) (\S+)$/gm)].map(
      ([, name, value]) => still(name ?? "", Number(value)),
    );
    expect(series.length).toBeGreaterThan(20);
    const none = rules.map(({ alert }) => ring(alert));
    expect(complaints([{ interval: "1m", input_series: series, alert_rule_test: none }])).toBe("");
  },
);

test.skipIf(promtool === "")(
  `each alert rings for what it is about, and for that alone ${noPromtool}`,
  () => {
    const lagOf = (queue: string) => `postern_queue_lag_seconds{queue="${queue}"}`;
    const cases: [string, ReturnType<typeof still>, Record<string, string>[]][] = [
      ["PartDown", still('postern_up{part="database"}', 0), [{ part: "database" }]],
      ["ClockWrong", still("postern_clock_ahead_seconds", 6), [{}]],
      ["ClockWrong", still("postern_clock_ahead_seconds", -600), [{}]],
      ["ClockWrong", still("postern_clock_ahead_seconds", 5), []],
      ["JobFails", still('postern_job_failures{job="close the day"}', 3), [{ job: "close the day" }]],
      ["JobFails", still('postern_job_failures{job="close the day"}', 2), []],
      ["JobLate", still('postern_job_late_seconds{job="expire"}', 61), [{ job: "expire" }]],
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
      ["MoneyUnexplained", still('postern_chain_unexplained{chain="litecoin"}', 1), [{ chain: "litecoin" }]],
    ];
    expect(new Set(cases.map(([alert]) => alert))).toEqual(new Set(rules.map(({ alert }) => alert)));
    const tests = cases.map(([alert, series, labels]) => ({
      interval: "1m",
      input_series: [series],
      alert_rule_test: rules.map((rule) => ring(rule.alert, ...(rule.alert === alert ? labels : []))),
    }));
    expect(complaints(tests)).toBe("");
  },
);
