import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { Unavailable } from "./errors.ts";

/**
 * What went wrong with a query, without the values that it was asked with and without those of rows: a
 * log must hold no token, password or message.
 */
export class QueryFailed extends Error {
  override name = "QueryFailed";
  /** The statement, whose values are numbered places. */
  readonly query: string | undefined;
  /** PostgreSQL's SQLSTATE, or the system's code for what happened to the connection. */
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor(error: Error, query: string | undefined) {
    super(error instanceof DatabaseError ? withoutValues(error) : error.message);
    this.query = query;
    this.code = codeOf(error);
    this.constraint = error instanceof DatabaseError ? error.constraint : undefined;
  }
}

/**
 * Turns whatever a driver threw into one of two errors that may be logged and shown.
 *
 * @returns `Unavailable` when the database could not be reached or did not answer in time, else
 * `QueryFailed`; what is no error of a query comes back as it is.
 */
export function asQueryError(thrown: unknown, query?: string): unknown {
  const error = thrown instanceof DrizzleQueryError ? thrown.cause : thrown;
  if (!(error instanceof Error) || error instanceof Unavailable || error instanceof QueryFailed)
    return error;
  const failed = new QueryFailed(error, query);
  return isPassing(error) ? new Unavailable(failed) : failed;
}

/** Connection lost, no resources, starting or stopping, cancelled by a limit: 08, 53, 57, 55P03, 25P0x. */
const passingStates = /^(08|53|57P0|57014|55P03|25P0[34])/;
const passingCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** The driver gives its own errors no code. */
const passingWords =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client (has encountered|was closed))/;

function isPassing(error: Error): boolean {
  const code = codeOf(error);
  if (error instanceof DatabaseError) return passingStates.test(code ?? "");
  return code ? passingCodes.test(code) : passingWords.test(error.message);
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Classes of errors whose first line quotes names of tables and the like; any other may quote a value. */
const namingStates = /^(08|23|28|3D|3F|42(?!601)|53|55|57)/;

/** A value may hold quotation marks too, thus all between the first and the last of them is left out. */
function withoutValues({ code, message }: DatabaseError): string {
  return namingStates.test(code ?? "") ? message : message.replace(/".*"/s, '"…"');
}
