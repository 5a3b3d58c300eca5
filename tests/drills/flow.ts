import type { World } from "./world.ts";

/** An action that happens once and can be interrupted anywhere. */
export type Attempt = {
  /** Does it. @returns whether they were told that it is done. */
  act(): Promise<boolean>;
  /** Does what happens automatically, or what a person would do, after the interruption. */
  again(): Promise<void>;
  /** Lists the problems once the action is done, in sentences. */
  wrong(): Promise<string[]>;
};

export type Flow = {
  name: string;
  /** Which process does it. */
  by: "web" | "worker";
  /** Creates the prerequisites, for new people. */
  prepare(world: World): Promise<Attempt>;
};
