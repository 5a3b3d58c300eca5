import pino from "pino";
import { truncateToUnits } from "./text/cut-text.ts";
import { minute } from "./clock.ts";
import { Unavailable } from "./errors.ts";
import { getCurrentTrace } from "./traces.server.ts";

export type Log = pino.Logger;

/** The number of lines for one message in a minute. Strangers can cause some of them at will. */
export const mostLines = 300;
/** The length limit of an error's message and of its stack, in characters. */
const longestText = 4000;

/**
 * Creates the log: structured lines on standard output, one for each event, with the request's id and trace
 * where there are any. Messages repeated too often within a minute are counted instead, unless the level asks
 * for everything.
 */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["password", "token", "*.password", "*.token"],
    serializers: { err: truncateError },
    ...(level !== "debug" && { hooks: { logMethod: createSparingLog() } }),
    mixin: () => getCurrentTrace() ?? {},
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Logs a failure. A service that is away is temporary, so it is only a warning.
 *
 * @param what was not done
 */
export function logFailure(
  log: Pick<Log, "warn" | "error">,
  error: unknown,
  what: string,
  facts: object = {},
): void {
  if (error instanceof Unavailable)
    log.warn({ ...facts, what, why: error.why }, `${error.service} unavailable`);
  else log.error({ ...facts, err: error }, what);
}

/** Truncates an error that quotes input. */
function truncateError(error: Error): object {
  const { message, stack, ...facts } = pino.stdSerializers.err(error);
  const shortened = (text = "") => truncateToUnits(text, longestText);
  return { ...facts, message: shortened(message), stack: shortened(stack) };
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions["hooks"]>["logMethod"]>;

/** Lets the first lines of a message through in each minute, then tells how many more there were. */
function createSparingLog(): LogMethod {
  let current = 0;
  let counts = new Map<unknown, number>();
  return function logMethod(args, method) {
    const [facts, message = facts] = args as unknown as [unknown, unknown?];
    const now = Math.floor(performance.now() / minute);
    if (now !== current) {
      for (const [said, count] of counts)
        if (count > mostLines)
          method.apply(this, [{ leftOut: count - mostLines, said }, "too many"]);
      current = now;
      counts = new Map();
    }
    if (typeof message !== "string") return method.apply(this, args);
    const count = (counts.get(message) ?? 0) + 1;
    counts.set(message, count);
    if (count <= mostLines) method.apply(this, args);
  };
}
