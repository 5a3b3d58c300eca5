/**
 * Works that are done one after the other under a name. A server may carry out two requests at once in either
 * order: only one that waits for the answer before it is surely the last.
 */
export class Turns<Name, Result = void> {
  readonly #last = new Map<Name, Promise<Result>>();

  /** Begins a work once all that were taken before it under its name have ended, well or badly. */
  take<Own extends Result>(name: Name, work: () => Promise<Own>): Promise<Own> {
    const before: Promise<unknown> = this.#last.get(name) ?? Promise.resolve();
    const own = before
      .then(work, work)
      .finally(() => this.#last.get(name) === own && this.#last.delete(name));
    this.#last.set(name, own);
    return own;
  }

  /** Checks whether work under that name, or under any, is waiting or running. */
  has(name?: Name): boolean {
    return name === undefined ? this.#last.size > 0 : this.#last.has(name);
  }

  /** Waits for all that were taken by now. @returns what the last of each name gave */
  settled(): Promise<Result[]> {
    return Promise.all(this.#last.values());
  }
}
