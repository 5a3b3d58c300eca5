import pino from "pino";

export type Log = pino.Logger;

/** Structured lines on standard output; one line an event, with the request's id where there is one. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["password", "token", "*.password", "*.token"],
  });
}
