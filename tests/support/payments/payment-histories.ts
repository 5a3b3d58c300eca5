import {
  array,
  type Arbitrary,
  boolean,
  constantFrom,
  nat,
  oneof,
  option,
  record,
  tuple,
} from "fast-check";
import { day, hour, minute } from "../../../app/platform/clock.ts";

/** Events between us, a buyer and the provider. Order numbers wrap around the started orders. */
export type Work =
  | { event: "begin"; buyer: number; changed: boolean; isSecondLook: boolean }
  | { event: "return" | "notice"; order: number; message: number }
  | { event: "forge"; order: number; by: Forgery; as: "return" | "notice" }
  | { event: "look"; order: number }
  | { event: "check" };

/** Changes outside our code, which are never interrupted or concurrent. */
type Change =
  | { event: "pay"; order: number; ending: Ending }
  | { event: "wait"; milliseconds: number }
  | { event: "provider"; state: ProviderState }
  | { event: "new salt" }
  | { event: "close" | "leave"; buyer: number };

export type Step =
  | Work
  | Change
  /** The database stops answering at this statement, which ends the work like a crash. */
  | { event: "cut"; statement: number; work: Work }
  | { event: "at once"; works: Work[] };

/**
 * A history, whether the seller has a GSTIN, whether the provider answers in the end, and the statement that cuts off
 * the first check.
 */
export type History = {
  steps: Step[];
  isRegistered: boolean;
  answersInTheEnd: boolean;
  lastCut: number | null;
};

export const endings = ["success", "with charges", "other amount", "failed", "pending"] as const;
export type Ending = (typeof endings)[number];

const forgeries = [
  "no hash",
  "a hash of zeros",
  "a flipped bit",
  "another salt",
  "another merchant's key",
  "the hash of its failure",
  "the hash of another order",
] as const;
export type Forgery = (typeof forgeries)[number];

const providerStates = ["answering", "silent", "behind"] as const;
export type ProviderState = (typeof providerStates)[number];

const pauses = [minute, 6 * minute, 20 * minute, 7 * hour, 1.5 * day, 3 * day];
const order = nat(2);
const buyer = nat(1);
const statement = nat(21);

const begin = record({
  event: one("begin"),
  buyer,
  changed: boolean(),
  isSecondLook: boolean(),
});
const pay = record({ event: one("pay"), order, ending: constantFrom(...endings) });
const message = record({
  event: constantFrom("return" as const, "notice" as const),
  order,
  message: nat(3),
});
const forge = record({
  event: one("forge"),
  order,
  by: constantFrom(...forgeries),
  as: constantFrom("return" as const, "notice" as const),
});
const work: Arbitrary<Work> = oneof(
  { weight: 3, arbitrary: begin },
  { weight: 6, arbitrary: message },
  { weight: 2, arbitrary: forge },
  { weight: 1, arbitrary: record({ event: one("look"), order }) },
  { weight: 3, arbitrary: record({ event: one("check") }) },
);
const change: Arbitrary<Change> = oneof(
  { weight: 6, arbitrary: pay },
  { weight: 4, arbitrary: record({ event: one("wait"), milliseconds: constantFrom(...pauses) }) },
  {
    weight: 2,
    arbitrary: record({ event: one("provider"), state: constantFrom(...providerStates) }),
  },
  { weight: 1, arbitrary: record({ event: one("new salt") }) },
  { weight: 1, arbitrary: record({ event: one("leave"), buyer }) },
  { weight: 1, arbitrary: record({ event: one("close"), buyer }) },
);
const step: Arbitrary<Step> = oneof(
  { weight: 4, arbitrary: work },
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: record({ event: one("cut"), statement, work }) },
  {
    weight: 2,
    arbitrary: record({
      event: one("at once"),
      works: array(work, { minLength: 2, maxLength: 3 }),
    }),
  },
);

/** Each history starts with a payment, because nothing else can happen without one. */
export const histories: Arbitrary<History> = record({
  steps: tuple(boolean(), array(step, { minLength: 1, maxLength: 14 })).map(
    ([isSecondLook, steps]): Step[] => [
      { event: "begin", buyer: 0, changed: false, isSecondLook },
      ...steps,
    ],
  ),
  isRegistered: boolean(),
  answersInTheEnd: boolean(),
  lastCut: option(statement),
});

/** Formats a history as a numbered list. */
export function inWords({ steps, isRegistered, answersInTheEnd, lastCut }: History): string {
  const first = `The seller has ${isRegistered ? "a" : "no"} GSTIN.`;
  const last = answersInTheEnd
    ? "The provider answers, and every due check runs."
    : "The provider never answers again, and every due check runs.";
  const cut = lastCut === null ? [] : [`The first check is cut off before statement ${lastCut}.`];
  return [first, ...steps.map(sentence), last, ...cut]
    .map((words, index) => `  ${String(index + 1)}. ${words}`)
    .join("\n");
}

function sentence(step: Step): string {
  switch (step.event) {
    case "begin":
      return `Buyer ${step.buyer} starts to pay${step.isSecondLook ? " for a second look" : ""}${step.changed ? " with changed materials" : ""}.`;
    case "pay":
      return `The provider decides order ${step.order}: ${step.ending}.`;
    case "return":
    case "notice":
      return `Message ${step.message} as a ${step.event} of order ${step.order} arrives.`;
    case "forge":
      return `A forged ${step.as} claims order ${step.order} as paid, with ${step.by}.`;
    case "look":
      return `The buyer looks at order ${step.order}.`;
    case "check":
      return "The scheduled check runs.";
    case "wait":
      return `${step.milliseconds / minute} minutes pass.`;
    case "provider":
      return `From now on the provider is ${step.state}.`;
    case "new salt":
      return "The merchant's salt changes, here and at the provider.";
    case "close":
      return `Buyer ${step.buyer} closes the account, unless a payment or a review is open.`;
    case "leave":
      return `The account of buyer ${step.buyer} is deleted.`;
    case "cut":
      return `Cut off before statement ${step.statement}: ${sentence(step.work)}`;
    case "at once":
      return `Concurrently: ${step.works.map(sentence).join(" ")}`;
  }
}

function one<Name extends string>(name: Name): Arbitrary<Name> {
  return constantFrom(name);
}
