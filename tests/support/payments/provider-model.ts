import { signResponse } from "../../../app/payments/stand-in/messages.server.ts";
import { formatDecimalRupees } from "../../../app/payments/money.ts";
import { day, minute, now } from "../../../app/platform/clock.ts";
import type { PayuSettings } from "../../../app/platform/config.server.ts";
import { changeCharacter } from "../requests/tampered.ts";
import type { Ending, Forgery, ProviderState } from "./payment-histories.ts";

type Fields = Record<string, string>;
type Status = "success" | "failed" | "pending";

/** The provider's state of a payment from a time on. */
type Belief = { from: number; status: Status; paise: number; chargesPaise: number };
type Payment = { asked: Fields; begunAt: number; beliefs: Belief[]; sent: Fields[] };

/** The provider's answers can lag behind its callbacks by this much. */
const lag = 10 * minute;
/** We check for eight days, so a later decision without a callback cannot be known. */
const decidesWithin = 7 * day;
/** Marks forged messages. The payment id is not signed. */
export const forgedPaymentId = "forged";

/** An in-memory provider: the true state of each payment, and the messages it has signed. */
export function providerModel(settings: PayuSettings) {
  const payments = new Map<string, Payment>();
  const provider = {
    settings,
    state: "answering" as ProviderState,

    /** The buyer's browser arrives at the provider with these fields. */
    begin(asked: Fields): void {
      const { txnid } = asked;
      if (payments.has(txnid!)) return;
      payments.set(txnid!, { asked, begunAt: now().getTime(), beliefs: [], sent: [] });
    },

    /** Returns the order with this number, modulo the number of orders. */
    nth(number: number): string | undefined {
      return [...payments.keys()][number % payments.size];
    },

    /** Decides a payment unless it is already paid, and signs a message about it. */
    decide(orderId: string, ending: Ending): void {
      const payment = payments.get(orderId)!;
      const isLate = now().getTime() - payment.begunAt > decidesWithin;
      if (isLate || payment.beliefs.at(-1)?.status === "success") return;
      const belief = beliefIn(ending, askedPaise(payment));
      payment.beliefs.push(belief);
      payment.sent.push(message(provider.settings, payment, belief));
    },

    /** Returns a sent message, modulo their number; undefined before the first. */
    sent(orderId: string, number: number): Fields | undefined {
      const { sent } = payments.get(orderId)!;
      return sent[number % sent.length];
    },

    /** Builds the fields of an attacker who wants the order for free. */
    forged(orderId: string, by: Forgery): Fields {
      const payment = payments.get(orderId)!;
      const claimed = message(provider.settings, payment, beliefIn("success", askedPaise(payment)));
      return { ...claimed, ...proofBy(by, orderId, claimed), mihpayid: forgedPaymentId };
    },

    /** Answers `verify_payment` instead of the network. */
    fetch: (async (_url, init) => {
      if (provider.state === "silent") throw new TypeError("fetch failed");
      const orderId = new URLSearchParams(init?.body as URLSearchParams).get("var1")!;
      const known = now().getTime() - (provider.state === "behind" ? lag : 0);
      const belief = payments.get(orderId)?.beliefs.findLast(({ from }) => from <= known);
      const details = belief ? verified(belief) : { mihpayid: "Not Found", status: "Not Found" };
      return Response.json({ status: belief ? 1 : 0, transaction_details: { [orderId]: details } });
    }) as typeof fetch,

    /** Returns the amount paid in the end, in paise; null without one. */
    paidPaise(orderId: string): number | null {
      const last = payments.get(orderId)?.beliefs.at(-1);
      return last?.status === "success" ? last.paise : null;
    },
  };

  function proofBy(forgery: Forgery, orderId: string, claimed: Fields): Fields {
    switch (forgery) {
      case "no hash":
        return { hash: "" };
      case "a hash of zeros":
        return { hash: "0".repeat(128) };
      case "a flipped bit":
        return { hash: changeCharacter(claimed.hash!) };
      case "another salt":
        return { hash: signResponse(claimed, "guessed", "") };
      case "another merchant's key": {
        const key = "stranger";
        return { key, hash: signResponse({ ...claimed, key }, provider.settings.salt, "") };
      }
      case "the hash of its failure":
        return { hash: findSent((id, status) => id === orderId && status === "failure") };
      case "the hash of another order":
        return { hash: findSent((id, status) => id !== orderId && status === "success") };
    }
  }

  function findSent(isMeant: (orderId: string, status: string) => boolean): string {
    const sent = [...payments.values()].flatMap((payment) => payment.sent);
    return sent.find(({ txnid, status }) => isMeant(txnid!, status!))?.hash ?? "";
  }

  return provider;
}

function beliefIn(ending: Ending, askedPaise: number): Belief {
  return {
    from: now().getTime(),
    status: ending === "failed" || ending === "pending" ? ending : "success",
    paise: ending === "other amount" ? askedPaise - 1_00 : askedPaise,
    chargesPaise: ending === "with charges" ? 3_50 : 0,
  };
}

function askedPaise({ asked }: Payment): number {
  return Math.round(Number(asked.amount) * 100);
}

const paymentId = "403993715531077182";

function message({ key, salt }: PayuSettings, { asked }: Payment, belief: Belief): Fields {
  const charges = belief.chargesPaise ? formatDecimalRupees(belief.chargesPaise) : "";
  const fields: Fields = {
    ...asked,
    key,
    amount: formatDecimalRupees(belief.paise),
    status: belief.status === "failed" ? "failure" : belief.status,
    mihpayid: paymentId,
    ...(charges && { additionalCharges: charges }),
  };
  return { ...fields, hash: signResponse(fields, salt, charges) };
}

function verified({ status, paise, chargesPaise }: Belief) {
  return {
    mihpayid: paymentId,
    amt: formatDecimalRupees(paise + chargesPaise),
    transaction_amount: formatDecimalRupees(paise),
    status: status === "failed" ? "failure" : status,
  };
}
