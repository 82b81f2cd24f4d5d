// `npm run bench -- letters <part>`: the reception of letters beside its peers. bench/README.md has the figures.
const parts = {
  durable: () => import("./letters.durable.ts"),
  sustained: () => import("./letters.sustained.ts"),
  latency: () => import("./letters.latency.ts"),
  corpus: () => import("./letters.corpus.ts"),
  slow: () => import("./letters.slow.ts"),
  kills: () => import("./letters.kills.ts"),
};

export async function measure(): Promise<void> {
  const asked = process.argv[3] ?? "";
  if (!(asked in parts)) {
    console.error(`Say which part: npm run bench -- letters ${Object.keys(parts).join(" | ")}`);
    process.exitCode = 2;
    return;
  }
  const { measure: measurePart } = await parts[asked as keyof typeof parts]();
  await measurePart(process.argv.slice(4));
}
