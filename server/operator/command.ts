import type { Partials } from "../../app/files/receive/partials.server.ts";
import type { FileStore } from "../../app/files/store.server.ts";
import type { MailTransport } from "../../app/mail/transport.server.ts";
import type { Payments } from "../../app/payments/payments.server.ts";
import type { AppContext } from "../../app/platform/app-context.server.ts";
import type { Config } from "../../app/platform/config.server.ts";

/** The result of a command: `text` for people, `data` for programs. */
export type Answer = {
  text: string;
  data: unknown;
  /** True if the command completed but found a problem. */
  failed?: boolean;
};

/** The services of most commands: the product on a migrated database, whether or not it is running. */
export type Operator = {
  app: AppContext;
  payments: Payments;
  store: FileStore;
  partials: Partials;
  transport: MailTransport;
  /** Reads a password from the terminal or from standard input. */
  readPassword(from: "terminal" | "stdin"): Promise<string>;
  /** Prints progress, separately from the answer. */
  logProgress(line: string): void;
};

/** The services of a command that must not rely on a healthy product. */
export type Bare = {
  /** @throws {Error} with one line for each setting that is missing or wrong. */
  readConfig(): Config;
  openPostgres(config: Config): Promise<Postgres>;
  logProgress(line: string): void;
};

export type Postgres = { url: string; stop(): Promise<void> };

/** The work of a parsed command. */
export type Work =
  | { on: "product"; run: (operator: Operator) => Promise<Answer> }
  | { on: "bare"; run: (bare: Bare) => Promise<Answer> };

/** Selects the work that a parsed command asks for. */
export type Choose = {
  (run: (operator: Operator) => Promise<Answer>): void;
  bare(run: (bare: Bare) => Promise<Answer>): void;
};

/** The command line is invalid; the message says why. */
export class UsageError extends Error {
  override name = "UsageError";
  readonly exitCode = 2;
}

/** Formats rows as aligned columns. */
export function formatTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]!.length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
