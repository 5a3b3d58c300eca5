import type { Lock, Locker } from "@tus/server";
import { second } from "../../platform/clock.ts";

type Holder = { askToLetGo: () => void; letGo: Promise<void>; onLetGo: () => void };

const patience = 10 * second;

/**
 * One request at a time for each upload. A newer request asks the one under way to stop: the phone
 * that sent it has lost that connection. (The locker that comes with tus waits in a busy loop.)
 */
export function uploadLocks(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock(id): Lock {
      return {
        async lock(stopped, askToLetGo) {
          const until = Date.now() + patience;
          for (let holder = holders.get(id); holder; holder = holders.get(id)) {
            holder.askToLetGo();
            await settled(holder.letGo, until - Date.now(), stopped);
            if (stopped.aborted || (holders.get(id) === holder && Date.now() >= until)) {
              throw { status_code: 423, body: "This upload is busy.\n" };
            }
          }
          const { promise: letGo, resolve: onLetGo } = Promise.withResolvers<void>();
          holders.set(id, { askToLetGo, letGo, onLetGo });
        },
        async unlock() {
          const holder = holders.get(id);
          holders.delete(id);
          holder?.onLetGo();
        },
      };
    },
  };
}

/** Waits for the promise, the time or the signal, whichever comes first. */
function settled(promise: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, milliseconds));
    signal.addEventListener("abort", end);
    void promise.then(end);
  });
}
