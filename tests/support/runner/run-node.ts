import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

/** The project's folder. */
export const root = resolve(import.meta.dirname, "../../..");

/**
 * Runs a file with this Node in the project's folder and prints its output.
 *
 * @returns the exit code; 1 if a signal ended it
 */
export function runNode(args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    child.on("error", reject);
    child.on("exit", (code) => done(code ?? 1));
  });
}

/** Reads a runner's JSON report; null if it ended before writing one. */
export async function readReport<Report>(file: string): Promise<Report | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Report);
}
