/**
 * Whether this node is on its way out. From the beginning on it is not to be sent anything new, though for a while it
 * serves whatever comes: a balancer needs a moment to notice.
 */
export class Shutdown {
  readonly #listeners: (() => void)[] = [];
  #hasBegun = false;
  #isReplaced = false;

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether another worker serves behind the same port: then nobody outside need know. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  begin({ isReplaced = false } = {}): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#isReplaced = isReplaced;
    for (const listener of this.#listeners) listener();
  }

  /** The one that serves in its place ends too. */
  endsWithSuccessor(): void {
    this.#isReplaced = false;
  }

  onBegin(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
