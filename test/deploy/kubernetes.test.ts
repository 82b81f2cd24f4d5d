// deploy/kubernetes, as kustomize makes it; without a cluster.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import * as limits from "../../src/contract/limits.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";

type Labels = Readonly<Record<string, string>>;
interface Named {
  readonly name: string;
}
interface Container {
  readonly env: readonly (Named & { readonly value: string })[];
  readonly ports: readonly (Named & { readonly containerPort: number })[];
  readonly volumeMounts: readonly (Named & { readonly mountPath: string; readonly readOnly?: boolean })[];
  readonly securityContext: object;
  readonly resources: object;
  readonly [probe: `${string}Probe`]: object;
}
interface Made {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Named & { readonly annotations?: Labels };
  readonly data?: Labels;
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly podSelector?: { readonly matchLabels: Labels };
    readonly ports?: readonly { readonly targetPort: number | string }[];
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly securityContext: object;
        readonly containers: readonly [Container];
        readonly volumes: readonly Named[];
      };
    };
  };
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const kubectl = spawnSync("kubectl", ["version", "--client"], { stdio: "ignore" });
const missing = kubectl.status === 0 ? "" : "SKIPPED: there is no kubectl here";

describe.skipIf(missing !== "")(`deploy/kubernetes ${missing}`, () => {
  let made: readonly Made[];
  beforeAll(() => {
    const said = spawnSync("kubectl", ["kustomize", join(root, "deploy/kubernetes")], { encoding: "utf8" });
    if (said.status !== 0) throw new Error(said.stderr);
    made = parseAllDocuments(said.stdout).map((each) => each.toJS() as Made);
  });
  const of = (kind: string) => made.filter((each) => each.kind === kind);
  const pods = () => of("Deployment").map(({ spec }) => spec.template);
  const meets = (wanted: Labels) =>
    pods().filter(({ metadata: { labels } }) =>
      Object.entries(wanted).every(([name, value]) => labels[name] === value),
    );

  test("each role takes its settings and listens where its probes, services and the image say", () => {
    const settings = of("ConfigMap")[0]?.data ?? {};
    const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
    const [, ofImage = ""] = /^ENV (NODE_ENV=.*)$/m.exec(dockerfile) ?? [];
    const secret = {
      DATABASE_URL: "postgres://shop@db.example:5432/shop",
      SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
      TELEGRAM_BOT_TOKEN: "1:of-a-test",
      MAIL_URL: "smtps://relay.example",
    };
    const roles = pods().map(({ spec: { containers } }) => {
      const { env, ports } = containers[0];
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const image = Object.fromEntries(ofImage.split(" ").map((each) => each.split("=") as [string, string]));
      const config = readConfig({ ...image, ...settings, ...own, ...secret });
      const at = config.roles.has("web") ? config.port : config.healthPort;
      expect(ports.find(({ name }) => name === "health")?.containerPort).toBe(at);
      if (config.roles.has("smtp")) expect(ports[1]?.containerPort).toBe(config.smtpPort);
      const known = readFileSync(join(root, ".env.example"), "utf8");
      for (const name of [...Object.keys(settings), ...Object.keys(own)])
        expect(known).toMatch(new RegExp(`^#?${name}=`, "m"));
      return [...config.roles];
    });
    expect(roles.flat().toSorted()).toEqual(["bot", "jobs", "smtp", "web"]);
    for (const { spec } of of("Service")) {
      const [pod] = meets(spec.selector);
      const open = pod?.spec.containers[0].ports.flatMap(({ name, containerPort }) => [name, containerPort]);
      for (const { targetPort } of spec.ports ?? []) expect(open).toContain(targetPort);
    }
  });

  test("no pod is root, writes beside its volumes or has a token; each has probes, memory and a budget", () => {
    const budgets = of("PodDisruptionBudget").flatMap(({ spec }) => meets(spec.selector.matchLabels));
    for (const pod of pods()) {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      });
      const [container] = pod.spec.containers;
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        resources: { limits: { memory: expect.anything() }, requests: { cpu: expect.anything() } },
      });
      for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"] as const)
        expect(container[probe]).toMatchObject({ httpGet: { path: "/healthz", port: "health" } });
      const written = container.volumeMounts.filter(({ readOnly }) => !readOnly);
      expect(written.map(({ mountPath }) => mountPath)).toEqual(expect.arrayContaining(["/data", "/tmp"]));
      const volumes = pod.spec.volumes.map(({ name }) => name);
      expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted());
      expect(budgets).toContain(pod);
    }
  });

  test("every selector meets pods, and nobody reaches or is reached by one but where a policy says so", () => {
    const policies = of("NetworkPolicy").map(({ spec }) => spec.podSelector?.matchLabels ?? {});
    const asked = [
      ...of("Service").map(({ spec }) => spec.selector as Labels),
      ...of("PodDisruptionBudget").map(({ spec }) => spec.selector.matchLabels),
      ...of("Deployment").map(({ spec }) => spec.selector.matchLabels),
      ...policies,
    ];
    expect(asked.filter((wanted) => meets(wanted).length === 0)).toEqual([]);
    expect(policies).toContainEqual({ app: "postern" });
  });

  test("the ingress waits longer than a call and takes the largest file", () => {
    const said = of("Ingress")[0]?.metadata.annotations ?? {};
    const seconds = Number(said["nginx.ingress.kubernetes.io/proxy-read-timeout"]);
    expect(seconds).toBeGreaterThan(limits.waitSecondsMax);
    const bytes = Number.parseInt(said["nginx.ingress.kubernetes.io/proxy-body-size"] ?? "", 10) * 1024 ** 2;
    expect(bytes).toBeGreaterThan(limits.uploadBytesMax);
  });

  const apart = join(root, ".cache/generators");
  const noSchemas = existsSync(join(apart, "node_modules/kubernetes-models"))
    ? ""
    : "SKIPPED: no schemas, see scripts/apart.mjs";

  test.skipIf(noSchemas !== "")(
    `each has the form that Kubernetes publishes, and no field that it does not know ${noSchemas}`,
    { tags: ["full"] },
    () => {
      const require = createRequire(join(apart, "package.json"));
      type Model = new (data: object) => { validate(): void };
      const placeOf = ({ apiVersion, kind }: Made) => `kubernetes-models/${apiVersion}/${kind}`;
      for (const each of made) {
        const models = require(placeOf(each)) as Record<string, Model>;
        expect(
          () => new models[each.kind]!(each).validate(),
          `${each.kind} ${each.metadata.name}`,
        ).not.toThrow();
      }
      // A schema takes fields that it does not name; the types made from it do not.
      const folder = mkdtempSync(join(apart, "kubernetes-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const lines = made.map(
        (each, at) =>
          `import type { I${each.kind} as T${at} } from "${placeOf(each)}";\nexport const made${at}: T${at} = ${JSON.stringify(each)};\n`,
      );
      const check = (text: string) => {
        const file = join(folder, "made.ts");
        writeFileSync(file, text);
        const words = ["--noEmit", "--skipLibCheck", "--strict", "--module", "nodenext", file];
        const tsc = join(root, "node_modules/typescript/bin/tsc");
        return spawnSync(process.execPath, [tsc, ...words], { encoding: "utf8", cwd: folder }).stdout;
      };
      expect(check(lines.join(""))).toBe("");
      expect(check(lines.join("").replace('"enableServiceLinks"', '"enableServiceLink"'))).toContain(
        "enableServiceLink",
      );
    },
  );
});
