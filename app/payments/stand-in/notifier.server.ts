import { now, second } from "../../platform/clock.ts";
import type { PayuSettings } from "../../platform/config.server.ts";
import type { Log } from "../../platform/log.server.ts";
import type { Ledger, Notice } from "./ledger.server.ts";

/**
 * Milliseconds. A notice is tried once and then once more after each of `retries`; a refund is queued for
 * as long as `refund`.
 */
export type Pauses = { soon: number; late: number; retries: number[]; refund: number };

export const usualPauses: Pauses = {
  soon: second,
  late: 10 * second,
  retries: [second, 5 * second, 15 * second],
  refund: 10 * second,
};

export type Notifier = ReturnType<typeof startNotifier>;

/** What both hosts of the stand-in work with. */
export type StandIn = {
  settings: PayuSettings;
  ledger: Ledger;
  notifier: Notifier;
  pauses: Pauses;
  bankOrigin: string;
  log: Pick<Log, "info" | "warn">;
};

type Round = { ledger: Ledger; url: string; pauses: Pauses; log: Pick<Log, "info" | "warn"> };

/**
 * Sends notices to the merchant's server. A notice is kept before it is sent, so that one which
 * was on its way when the process was killed is sent by the next.
 */
export function startNotifier({ ledger, url, pauses, log }: Round) {
  const timers = new Set<NodeJS.Timeout>();
  const underway = new Set<Promise<void>>();
  const stopping = new AbortController();

  function schedule(notice: Notice): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void send(notice);
      },
      Math.max(0, notice.dueAt - now().getTime()),
    );
    timers.add(timer);
  }

  function send(notice: Notice): Promise<void> {
    const sending = deliver(notice).finally(() => underway.delete(sending));
    underway.add(sending);
    return sending;
  }

  async function deliver(notice: Notice): Promise<void> {
    const answer = await post(url, notice.body, stopping.signal);
    if (stopping.signal.aborted) return;
    const delivered = answer === "200";
    const pause = delivered ? undefined : pauses.retries[notice.tries];
    const dueAt = pause === undefined ? null : now().getTime() + pause;
    ledger.recordTry(notice.id, answer, dueAt);
    if (dueAt !== null) schedule({ ...notice, tries: notice.tries + 1, dueAt });
    log[delivered ? "info" : "warn"](
      { mihpayid: notice.mihpayid, answer },
      "PayU stand-in: notice sent",
    );
  }

  for (const notice of ledger.noticesToSend()) schedule(notice);

  return {
    /** Sends the notice after a pause, without being waited for. */
    sendLater(mihpayid: string, body: string, pause: number): void {
      schedule(ledger.addNotice(mihpayid, body, now().getTime() + pause));
    },

    /** Gives when the first try has been answered; further tries follow by themselves. */
    sendNow(mihpayid: string, body: string): Promise<void> {
      return send(ledger.addNotice(mihpayid, body, now().getTime()));
    },

    async stop(): Promise<void> {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underway);
    },
  };
}

/** The status of the answer, or why there was none. Only "200" counts as delivered. */
async function post(url: string, body: string, stopped: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([stopped, AbortSignal.timeout(10 * second)]),
    });
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? `no answer (${error.name})` : "no answer";
  }
}
