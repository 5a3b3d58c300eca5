import type { World } from "./world.ts";

/** An action that happens once and can be interrupted anywhere. */
export type Attempt = {
  /** Runs the action. @returns true if it was confirmed to the person */
  act(): Promise<boolean>;
  /** Completes the action after an interruption, as the product or the person would. */
  again(): Promise<void>;
  /** Lists the problems after the action, as sentences. */
  wrong(): Promise<string[]>;
};

export type Flow = {
  name: string;
  /** The process that runs it. */
  by: "web" | "worker";
  /** Creates new people and everything the action needs. */
  prepare(world: World): Promise<Attempt>;
};
