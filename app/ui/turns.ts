/**
 * Runs work one after another under a name. A server may handle two concurrent requests in either order, so the last
 * one must wait for the answer to the one before.
 */
export class Turns<Name, Result = void> {
  readonly #last = new Map<Name, Promise<Result>>();

  /** Runs work after all earlier work under its name has finished or failed. */
  take<Own extends Result>(name: Name, work: () => Promise<Own>): Promise<Own> {
    const before: Promise<unknown> = this.#last.get(name) ?? Promise.resolve();
    const own = before
      .then(work, work)
      .finally(() => this.#last.get(name) === own && this.#last.delete(name));
    this.#last.set(name, own);
    return own;
  }

  /** Checks whether work under this name, or any name, is waiting or running. */
  has(name?: Name): boolean {
    return name === undefined ? this.#last.size > 0 : this.#last.has(name);
  }

  /** Waits for all current work. @returns the last result of each name */
  settled(): Promise<Result[]> {
    return Promise.all(this.#last.values());
  }
}
