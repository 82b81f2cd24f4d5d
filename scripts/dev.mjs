// For writing code: the shop, started again when a file of the server changes, and the pages from Vite as they are edited.
// Open the address that Vite prints; its calls of the API go to the shop.
import { spawn } from "node:child_process";

import { projectNode, root } from "./run.mjs";

const programs = [
  ["--watch", "--env-file-if-exists=.env", "src/server/main.ts"],
  ["node_modules/vite/bin/vite.js"],
];
const children = programs.map((args) => spawn(projectNode(), args, { cwd: root, stdio: "inherit" }));

// When one ends, or we are told to, all end; the exit waits until the shop has closed its database.
const end = () => children.forEach((child) => child.kill("SIGTERM"));
for (const child of children) child.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
