import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Postern } from "../../client.ts";
import { toolServer } from "./tools.ts";

/** The version of the tools, which an assistant may show. */
const version = "1.0.0";

/** Serves the assistant that started this process, over standard input and output. Resolves when it leaves. */
export async function serveProcess(postern: Postern, tell: (line: string) => void): Promise<void> {
  const left = new Promise((resolve) => process.stdin.once("close", resolve).once("end", resolve));
  const server = serveStdio(() => toolServer(postern, version), {
    onerror: (error) => tell(`postern: ${error.message}`),
  });
  await left;
  await server.close();
}

type Asking = IncomingMessage & { auth: AuthInfo };

/**
 * Serves assistants on this machine by streamable HTTP. Each brings the token of its account in the header `Authorization`,
 * so that a program without one can order nothing. Resolves when `signal` aborts.
 */
export async function servePort(
  port: number,
  open: (token: string) => Postern,
  { tell, signal }: { tell: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const handler = createMcpHandler(({ authInfo }) => toolServer(open(authInfo?.token ?? ""), version), {
    onerror: (error) => tell(`postern: ${error.message}`),
  });
  // Its types do not know `exactOptionalPropertyTypes`.
  const answer = toNodeHandler(handler) as (request: Asking, response: ServerResponse) => Promise<void>;
  const [isOurHost, isOurOrigin] = [localhostHostValidation(), localhostOriginValidation()];
  const server = createServer((request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (request.url !== "/mcp") return void response.writeHead(404).end();
    if (token === undefined) return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    void answer(Object.assign(request, { auth: { token, clientId: "", scopes: [] } }), response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await handler.close();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
