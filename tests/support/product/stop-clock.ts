import { onTestFinished, vi } from "vitest";
import { now } from "../../../app/platform/clock.ts";

/** Stops the clock until the test is over, so that no window of a rate limit ends while the test counts. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Runs at a later time, in milliseconds from now. */
export async function runLater(later: number, run: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ now: now().getTime() + later, toFake: ["Date"] });
  await run().finally(() => vi.useRealTimers());
}
