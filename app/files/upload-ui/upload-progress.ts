/** The speed of a transfer, measured over the last seconds. */
export type TransferRate = {
  /** Null while there is too little data. */
  bytesPerSecond: number | null;
  secondsLeft: number | null;
};

const windowMilliseconds = 6000;
const minMilliseconds = 800;

/** Returns a function that takes the bytes sent so far and the time in milliseconds, and returns the rate. */
export function createTransferMeter(size: number): (sent: number, at: number) => TransferRate {
  const samples: { loaded: number; at: number }[] = [];
  return (loaded, at) => {
    const last = samples.at(-1);
    // A lost connection makes the client resend a part.
    if (last && loaded < last.loaded) samples.length = 0;
    samples.push({ loaded, at });
    while (samples.length > 2 && at - samples[1]!.at > windowMilliseconds) samples.shift();
    const first = samples[0]!;
    if (at - first.at < minMilliseconds || loaded === first.loaded) {
      return { bytesPerSecond: null, secondsLeft: null };
    }
    const bytesPerSecond = ((loaded - first.loaded) * 1000) / (at - first.at);
    return { bytesPerSecond, secondsLeft: (size - loaded) / bytesPerSecond };
  };
}

/** 12.3 → "13 s left", 200 → "4 min left" */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.ceil(minutes / 60)} h left`;
}
