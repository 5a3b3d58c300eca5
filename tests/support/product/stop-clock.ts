import { onTestFinished, vi } from "vitest";

/** Until the test is over it is the present moment: no window in which tries are counted ends while the test counts. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
