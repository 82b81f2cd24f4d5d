import { spawn } from "node:child_process";

import { projectNode, root } from "./run.mjs";

const programs = [
  ["--watch", "--env-file-if-exists=.env", "src/server/main.ts"],
  ["node_modules/vite/bin/vite.js"],
];
const children = programs.map((args) => spawn(projectNode(), args, { cwd: root, stdio: "inherit" }));

// When one process ends, all end; the exit waits for the shop's database.
const end = () => children.forEach((child) => child.kill("SIGTERM"));
for (const child of children) child.once("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
