import { second } from "../../../app/platform/clock.ts";
import { Unavailable } from "../../../app/platform/errors.ts";

/** The result of checking one part of the product. */
export type Finding = {
  check: string;
  state: "ok" | "warn" | "fail";
  found: string;
  /** The next step. */
  todo?: string;
};

type Found = Omit<Finding, "check">;

/** Checks one part of the product. An error it throws counts as a failure of this part only. */
export type Check = { name: string; todo: string; look(): Promise<Found> };

export const createOk = (found: string): Found => ({ state: "ok", found });
export const createWarning = (found: string, todo: string): Found => ({
  state: "warn",
  found,
  todo,
});
export const createFailure = (found: string, todo: string): Found => ({
  state: "fail",
  found,
  todo,
});

const timeout = 10 * second;

/** Runs all checks in parallel, each for at most ten seconds. */
export function runChecks(checks: Check[], limit = timeout): Promise<Finding[]> {
  return Promise.all(
    checks.map(async ({ name, todo, look }) => {
      const timedOut = Promise.withResolvers<Found>();
      const timer = setTimeout(
        () =>
          timedOut.resolve(createFailure(`No response within ${limit / second} seconds.`, todo)),
        limit,
      );
      const finding = await Promise.race([look(), timedOut.promise])
        .catch((error: unknown) => createFailure(formatReason(error), todo))
        .finally(() => clearTimeout(timer));
      return { check: name, ...finding };
    }),
  );
}

/** Formats an error with its causes, without repeating the same cause. */
export function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Its own message is written for visitors.
  if (error instanceof Unavailable) return formatReason(error.cause);
  const { cause } = error;
  const inner = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  const why = inner instanceof Error ? inner.message || inner.name : "";
  return [error.message, why]
    .filter(Boolean)
    .join(": ")
    .replaceAll(/\s*\n\s*/g, " ");
}
