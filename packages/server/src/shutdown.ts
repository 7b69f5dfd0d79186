/**
 * Whether this node is on its way out. From the beginning on it is not to be sent anything new, though for a while it
 * serves whatever comes: a balancer needs a moment to notice.
 */
export class Shutdown {
  readonly #listeners: (() => void)[] = [];
  #hasBegun = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const listener of this.#listeners) listener();
  }

  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
