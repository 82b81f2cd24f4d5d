import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ESTree, parseSync } from "vite";

type Node = ESTree.Node;
type Callable = ESTree.Function | ESTree.ArrowFunctionExpression;
interface Source {
  path: string;
  body: ESTree.Program;
}

const fixtures = ["page", "context", "browser", "playwright"];

/** Reads a file; imports from its folder are read too. */
export type Read = (path: string) => string | undefined;
const readFile: Read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

export function blindTests(path: string, read: Read = readFile): string[] {
  const files = new Map<string, Source | undefined>();
  const open = (file: string): Source | undefined => {
    const text = files.has(file) ? undefined : read(file);
    if (text !== undefined) files.set(file, { path: file, body: parseSync(file, text).program });
    return files.get(file);
  };
  const source = open(path);
  if (!source) throw new Error(`there is no ${path}`);
  const tests = new Set(within(source.body).flatMap(namesOfTest));
  return within(source.body).flatMap((node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || !tests.has(node.callee.name))
      return [];
    const body = node.arguments.at(-1);
    if (!isCallable(body)) return [];
    const given = body.params[0];
    const seeds = given?.type === "ObjectPattern" ? given.properties.flatMap(ownName) : [];
    const title = node.arguments[0];
    const isSeen = looks({ body, seeds, source }, open, new Set());
    return isSeen || !title ? [] : [read(path)!.slice(title.start + 1, title.end - 1)];
  });
}

/** The names of the test function, imported or extended. */
function namesOfTest(node: Node): string[] {
  if (node.type === "ImportSpecifier" && spelled(node.imported) === "test") return [node.local.name];
  const isOwn = node.type === "VariableDeclarator" && node.init?.type === "CallExpression";
  return isOwn && spelled((node.init as ESTree.CallExpression).callee).endsWith(".extend")
    ? bound(node.id)
    : [];
}

function ownName(property: Node): string[] {
  if (property.type !== "Property" || property.key.type !== "Identifier") return [];
  return fixtures.includes(property.key.name) ? bound(property.value) : [];
}

interface Body {
  body: Callable;
  seeds: string[];
  source: Source;
}

function looks(
  { body, seeds, source }: Body,
  open: (file: string) => Source | undefined,
  asked: Set<Callable>,
): boolean {
  if (seeds.length === 0 || asked.has(body)) return false;
  asked.add(body);
  const nodes = within(body);
  const names = derived(nodes, new Set(seeds));
  return nodes.some((node) => {
    if (node.type !== "CallExpression") return false;
    const given = node.arguments.map((argument) => mentions(argument, names));
    if (!given.some(Boolean)) return false;
    if (/^(loudE|e)xpect(\.soft|\.poll)?$/.test(spelled(node.callee))) return given[0] === true;
    const called = node.callee.type === "Identifier" && functionOf(node.callee.name, source, open);
    if (!called) return false;
    const inner = called.body.params.flatMap((param, place) => (given[place] ? bound(param) : []));
    return looks({ ...called, seeds: inner }, open, asked);
  });
}

function derived(nodes: Node[], names: Set<string>): Set<string> {
  const before = names.size;
  for (const node of nodes) {
    const [to, from] =
      node.type === "VariableDeclarator"
        ? [node.id, node.init]
        : node.type === "AssignmentExpression" || node.type === "ForOfStatement"
          ? [node.left, node.right]
          : [];
    if (to && from && mentions(from, names)) for (const name of bound(to)) names.add(name);
  }
  return names.size === before ? names : derived(nodes, names);
}

function mentions(node: Node, names: Set<string>): boolean {
  if (node.type === "Identifier") return names.has(node.name);
  if (node.type === "MemberExpression" && spelled(node.property) === "request") return false;
  return children(node).some((child) => mentions(child, names));
}

function functionOf(
  name: string,
  source: Source,
  open: (file: string) => Source | undefined,
): Omit<Body, "seeds"> | undefined {
  for (const node of within(source.body)) {
    if (node.type === "FunctionDeclaration" && node.id?.name === name) return { body: node, source };
    if (node.type === "VariableDeclarator" && spelled(node.id) === name && isCallable(node.init))
      return { body: node.init, source };
    if (node.type !== "ImportDeclaration" || !node.source.value.startsWith("./")) continue;
    const taken = node.specifiers.find(({ local }) => local.name === name);
    const file = taken?.type === "ImportSpecifier" && open(join(dirname(source.path), node.source.value));
    if (file) return functionOf(spelled(taken.imported), file, open);
  }
  return undefined;
}

const isCallable = (node: Node | null | undefined): node is Callable =>
  /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node?.type ?? "");

function spelled(node: Node): string {
  if (node.type === "Identifier") return node.name;
  return node.type === "MemberExpression" ? `${spelled(node.object)}.${spelled(node.property)}` : "";
}

const bound = (pattern: Node): string[] =>
  within(pattern).flatMap((node) => (node.type === "Identifier" ? [node.name] : []));

function within(node: Node): Node[] {
  return [node, ...children(node).flatMap(within)];
}

function children(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if ((key === "property" || key === "key") && !(node as { computed?: boolean }).computed) return [];
    if (key === "typeAnnotation" || key === "typeArguments" || key === "returnType") return [];
    return (Array.isArray(value) ? value : [value]).filter(
      (child): child is Node => typeof child === "object" && child !== null && "type" in child,
    );
  });
}
