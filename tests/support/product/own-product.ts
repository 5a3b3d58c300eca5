import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../../..");

export type Env = Record<string, string>;

/** Starts `server/main.ts` as a process, on an embedded PostgreSQL unless `env` names another. */
export function launch(env: Env, ...command: string[]) {
  const args = ["server/main.ts", ...(command.length > 0 ? command : ["start"])];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      ENV_FILE: "none",
      DATABASE_URL: "",
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      // Rendering them takes more than a second, and few tests need them.
      DEMO_PAGES: "off",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Ends the child even if a test fails halfway.
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return { child, printed: () => text };
}

/** Starts the product and waits until it is ready. */
export async function start(env: Env) {
  const started = launch(env);
  await untilReady(started);
  return started;
}

/** @throws {Error} with its output if it ends instead */
export function untilReady({ child, printed }: ReturnType<typeof launch>): Promise<void> {
  return new Promise((ready, failed) => {
    // Stops listening once ready, because searching a long test's output at each line takes minutes.
    const look = () => {
      if (!printed().includes("(ready in")) return;
      child.stdout.off("data", look);
      ready();
    };
    child.stdout.on("data", look);
    child.on("exit", () => failed(new Error(printed())));
  });
}

/** Runs a command that ends on its own. @returns its exit code and output */
export async function runToEnd(env: Env, ...command: string[]) {
  const { child, printed } = launch(env, ...command);
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, printed: printed() };
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, "exit");
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return code;
}

/** Signs in as a demo person. @returns the Cookie header */
export async function actAs(origin: string, email: string): Promise<string> {
  const response = await fetch(`${origin}/demo/act-as`, {
    method: "POST",
    redirect: "manual",
    headers: { origin },
    body: new URLSearchParams({ email }),
  });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
