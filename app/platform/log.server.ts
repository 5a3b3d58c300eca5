import pino from "pino";
import { truncateToUnits } from "./text/cut-text.ts";
import { minute } from "./clock.ts";
import { Unavailable } from "./errors.ts";
import { getCurrentTrace } from "./traces.server.ts";

export type Log = pino.Logger;

/** The limit of lines per minute for one message, since strangers can cause some of them at will. */
export const maxLines = 300;
/** The length limit of an error's message and of its stack, in characters. */
const maxTextLength = 4000;

/**
 * Creates the log, which writes structured lines to standard output with the request's id and trace if there are any.
 * A message repeated too often within a minute is counted instead, except at level debug.
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
 * Logs a failure. An unavailable service is only a warning, since that is temporary.
 *
 * @param what the name of the failed action
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
  const shortened = (text = "") => truncateToUnits(text, maxTextLength);
  return { ...facts, message: shortened(message), stack: shortened(stack) };
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions["hooks"]>["logMethod"]>;

/** Lets the first lines of a message through in each minute, then logs how many were left out. */
function createSparingLog(): LogMethod {
  let current = 0;
  let counts = new Map<unknown, number>();
  return function logMethod(args, method) {
    const [facts, message = facts] = args as unknown as [unknown, unknown?];
    const now = Math.floor(performance.now() / minute);
    if (now !== current) {
      for (const [message, count] of counts)
        if (count > maxLines)
          method.apply(this, [{ leftOut: count - maxLines, said: message }, "too many"]);
      current = now;
      counts = new Map();
    }
    if (typeof message !== "string") return method.apply(this, args);
    const count = (counts.get(message) ?? 0) + 1;
    counts.set(message, count);
    if (count <= maxLines) method.apply(this, args);
  };
}
