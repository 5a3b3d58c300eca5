import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

/** The project's folder. */
export const root = resolve(import.meta.dirname, "../../..");

export type Ended = {
  /** The exit code; 1 if a signal ended it. */
  code: number;
  /** The end of what it wrote to standard error. */
  lastErrors: string;
};

const mostErrorText = 4_000;

/** Runs a file with this Node in the project's folder and prints its output. */
export function runNode(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["inherit", "inherit", "pipe"],
      env: { ...process.env, ...env },
    });
    let lastErrors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      process.stderr.write(text);
      lastErrors = (lastErrors + text).slice(-mostErrorText);
    });
    child.on("error", reject);
    child.on("close", (code) => done({ code: code ?? 1, lastErrors }));
  });
}

/** Reads a runner's JSON report; null if it ended before writing one. */
export async function readReport<Report>(file: string): Promise<Report | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text === null ? null : (JSON.parse(text) as Report);
}
