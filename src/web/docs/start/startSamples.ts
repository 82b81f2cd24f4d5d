import { quoted } from "../snippets/request.ts";

export interface Start {
  readonly base: string;
  readonly domain: string;
  /** Without one the program reads it from the environment. */
  readonly token?: string | undefined;
}

const curl = ({
  base,
  domain,
  token,
}: Start) => `${token === undefined ? "" : `TOKEN=${quoted(token)}\n`}ask() { curl -sS -H "Authorization: Bearer $TOKEN" "${base}$1"; }

order=$(ask "/email/order?site=sandbox-ok&domain=${domain}")
echo "$order"
id=$(echo "$order" | grep -o '"id":"[0-9]*"' | grep -o '[0-9]*')

# Answers as soon as the letter is there.
ask "/email/getmessage?id=$id&wait=60" | grep -o '"code":"[^"]*"'`;

const javascript = ({
  base,
  domain,
  token,
}: Start) => `${token === undefined ? 'import { env } from "node:process";\n\n' : ""}async function ask(path, parameters) {
  const response = await fetch(\`${base}\${path}?\${new URLSearchParams(parameters)}\`, {
    headers: { authorization: ${token === undefined ? "`Bearer ${env.TOKEN}`" : quoted(`Bearer ${token}`)} },
  });
  const answer = await response.json();
  if (answer.status === "error") throw new Error(\`\${answer.value}: \${answer.hint}\`);
  return answer;
}

const order = await ask("/email/order", { site: "sandbox-ok", domain: ${quoted(domain)} });
console.log(order.email);
// Answers as soon as the letter is there.
const letter = await ask("/email/getmessage", { id: order.id, wait: "60" });
console.log(letter.code);`;

const typescript = ({
  base,
  domain,
  token,
}: Start) => `${token === undefined ? 'import { env } from "node:process";\n' : ""}import { Postern } from "postern-client";

const postern = new Postern({
  url: ${quoted(base)},
  token: ${token === undefined ? 'env["TOKEN"] ?? ""' : quoted(token)},
});
const order = await postern.order({ site: "sandbox-ok", domain: ${quoted(domain)} });
console.log(order.email);
const letter = await order.waitForLetter({ timeoutSeconds: 60 });
console.log(letter.code);`;

const python = ({
  base,
  domain,
  token,
}: Start) => `import json${token === undefined ? ", os" : ""}, urllib.parse, urllib.request

TOKEN = ${token === undefined ? 'os.environ["TOKEN"]' : quoted(token)}

def ask(path, **parameters):
    request = urllib.request.Request(
        ${quoted(base)} + path + "?" + urllib.parse.urlencode(parameters),
        headers={"Authorization": "Bearer " + TOKEN},
    )
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    if answer["status"] == "error":
        raise SystemExit(f"{answer['value']}: {answer['hint']}")
    return answer

order = ask("/email/order", site="sandbox-ok", domain=${quoted(domain)})
print(order["email"])
# Answers as soon as the letter is there.
letter = ask("/email/getmessage", id=order["id"], wait=60)
print(letter["code"])`;

const go = ({ base, domain, token }: Start) => `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"${token === undefined ? '\n\t"os"' : ""}
)

type answer struct{ Status, Value, Hint, ID, Email, Code string }

func ask(path string, query url.Values) (answer answer) {
	request, err := http.NewRequest("GET", ${quoted(base)}+path+"?"+query.Encode(), nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", ${token === undefined ? '"Bearer "+os.Getenv("TOKEN")' : quoted(`Bearer ${token}`)})
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if answer.Status == "error" {
		log.Fatal(answer.Value, ": ", answer.Hint)
	}
	return answer
}

func main() {
	order := ask("/email/order", url.Values{"site": {"sandbox-ok"}, "domain": {${quoted(domain)}}})
	fmt.Println(order.Email)
	// Answers as soon as the letter is there.
	letter := ask("/email/getmessage", url.Values{"id": {order.ID}, "wait": {"60"}})
	fmt.Println(letter.Code)
}`;

const php = ({ base, domain, token }: Start) => `<?php
function ask(string $path, array $parameters): array
{
    $context = stream_context_create(['http' => [
        'header' => 'Authorization: Bearer ' . ${token === undefined ? "getenv('TOKEN')" : `'${token}'`},
        'ignore_errors' => true,
        'timeout' => 90,
    ]]);
    $address = '${base}' . $path . '?' . http_build_query($parameters);
    $answer = json_decode(file_get_contents($address, false, $context), true);
    if ($answer['status'] === 'error') {
        exit($answer['value'] . ': ' . $answer['hint'] . PHP_EOL);
    }
    return $answer;
}

$order = ask('/email/order', ['site' => 'sandbox-ok', 'domain' => '${domain}']);
echo $order['email'], PHP_EOL;
// Answers as soon as the letter is there.
$letter = ask('/email/getmessage', ['id' => $order['id'], 'wait' => 60]);
echo $letter['code'], PHP_EOL;`;

/** Puts the token into the environment of a terminal. */
export const tokenSample = (token = "…"): string => `export TOKEN="${token}"`;

/** From a token to the code of a letter, by a program in each language of the samples. */
export const startSamples = {
  curl: { label: "curl", write: curl },
  javascript: { label: "JavaScript", write: javascript },
  typescript: { label: "TypeScript", write: typescript },
  python: { label: "Python", write: python },
  go: { label: "Go", write: go },
  php: { label: "PHP", write: php },
} as const;
