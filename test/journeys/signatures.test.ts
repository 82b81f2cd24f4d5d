// @module-tag slow
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { found } from "../kit/programs.ts";
import { examples } from "../../src/contract/examples.ts";
import { eventSamples } from "../../src/web/docs/eventSamples.ts";
import { signatureChecks } from "../../src/web/docs/guides/signatureSamples.ts";

// The documented signature checks as programs that print `letter`, or `refused` and the reason.

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-signatures-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Secret, id, time and signatures are arguments, the body is stdin. */
const programs = {
  python: {
    needs: "python3",
    files: {
      "check.py": `${signatureChecks.python.text}

import sys
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
try:
    print(verify(sys.argv[1], dict(zip(names, sys.argv[2:])), sys.stdin.buffer.read())["type"])
except ValueError as fault:
    print("refused:", fault)
`,
    },
    commands: [["python3", "check.py"]],
  },
  go: {
    needs: "go",
    files: {
      "check.go": `${signatureChecks.go.text}\n`,
      "main.go": `package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	body, _ := io.ReadAll(os.Stdin)
	header := http.Header{}
	header.Set("webhook-id", os.Args[2])
	header.Set("webhook-timestamp", os.Args[3])
	header.Set("webhook-signature", os.Args[4])
	if err := verify(os.Args[1], header, body); err != nil {
		fmt.Println("refused:", err)
		return
	}
	var event struct{ Type string }
	_ = json.Unmarshal(body, &event)
	fmt.Println(event.Type)
}
`,
    },
    commands: [["go", "run", "check.go", "main.go"]],
  },
  php: {
    needs: "php",
    files: {
      "check.php": `${signatureChecks.php.text}

[, $secret, $id, $at, $signatures] = $argv;
$headers = ['webhook-id' => $id, 'webhook-timestamp' => $at, 'webhook-signature' => $signatures];
try {
    echo verify($secret, $headers, stream_get_contents(STDIN))['type'];
} catch (RuntimeException $fault) {
    echo 'refused: ' . $fault->getMessage();
}
`,
    },
    commands: [["php", "check.php"]],
  },
  java: {
    needs: "javac",
    files: {
      "Signature.java": `${signatureChecks.java.text}\n`,
      "Main.java": `class Main {
    public static void main(String[] given) throws java.io.IOException {
        String body = new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        try {
            Signature.verify(given[0], given[1], given[2], given[3], body);
            System.out.println(body.contains("\\"type\\":\\"letter\\"") ? "letter" : "another");
        } catch (java.security.GeneralSecurityException fault) {
            System.out.println("refused: " + fault.getMessage());
        }
    }
}
`,
    },
    commands: [
      ["javac", "Signature.java", "Main.java"],
      ["java", "-cp", ".", "Main"],
    ],
  },
};

const { secret } = examples.addWebhook.reply;
const body = JSON.stringify({ type: "letter", data: { ...eventSamples.letter, subject: "Привет 你好" } });
const signedBy = (key: string, at = new Date()) => new Webhook(key).sign("msg_1", at, body);

const slow = { timeout: 120_000 };

describe.each(Object.entries(programs))("the check of a webhook in %s", (language, program) => {
  const { needs, files, commands } = program;
  test.runIf(found(needs))(
    "takes the shop's message, and refuses what is old or another's",
    slow,
    async () => {
      const cwd = join(folder, language);
      await mkdir(cwd);
      for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
      for (const command of commands.slice(0, -1)) await run(cwd, command);
      const check = commands.at(-1) ?? [];
      const say = (signatures: string, at = new Date()) =>
        run(cwd, [...check, secret, "msg_1", String(Math.floor(at.getTime() / 1000)), signatures]);
      const another = signedBy("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
      const old = new Date(Date.now() - 301_000);
      expect(await say(signedBy(secret))).toBe("letter");
      expect(await say(`${another} ${signedBy(secret)}`)).toBe("letter");
      expect(await say(another)).toBe("refused: not from the shop");
      expect(await say(signedBy(secret, old), old)).toBe("refused: too old");
    },
  );
});

async function run(cwd: string, [program = "", ...words]: string[]): Promise<string> {
  const child = spawn(found(program) ?? program, words, {
    cwd,
    env: { ...process.env, GOFLAGS: "", GOCACHE: join(folder, "cache") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  // A compiler reads no stdin and may exit first.
  child.stdin.on("error", () => undefined);
  child.stdin.end(body);
  return (await text(child.stdout)).trim();
}
