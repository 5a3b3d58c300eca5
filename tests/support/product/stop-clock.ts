import { onTestFinished, vi } from "vitest";

/** Stops the clock until the test is over, so that no window of a rate limit ends while the test counts. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
