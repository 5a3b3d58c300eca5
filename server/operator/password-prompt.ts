import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Invalid } from "../../app/platform/errors.ts";

/**
 * Reads a password: typed twice on the terminal, where it is not shown, or the first line of standard input.
 *
 * @throws {Invalid} where nothing was given, the two differ, or nobody sits at a terminal.
 */
export async function readPassword(from: "terminal" | "stdin"): Promise<string> {
  if (from === "stdin") return firstLine();
  if (!process.stdin.isTTY)
    throw new Invalid({
      password:
        "There is no terminal to ask for a password. Use --password-stdin, or --link print for a link to choose one.",
    });
  const password = await askHidden("Password: ");
  if ((await askHidden("The same again: ")) === password) return password;
  throw new Invalid({ password: "The two passwords differ." });
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new Invalid({ password: "Standard input held no password." });
}

/** The question goes to standard error, what is typed goes nowhere. */
async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await answerOf(terminal);
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}

/** Ctrl-C ends the question, and with it the command. */
function answerOf(terminal: Interface): Promise<string> {
  return new Promise((resolve, reject) => {
    terminal.once("close", () => reject(new Invalid({ password: "No password was given." })));
    terminal.question("").then(resolve, reject);
  });
}
