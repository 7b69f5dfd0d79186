/** What other nodes say they have changed. */
export class HeardChanges {
  readonly #tell: (subject: string) => Promise<boolean>;
  readonly #confirm: (from: string, number: string) => void;
  /** Those of a change whose last notice has not come yet. */
  readonly #begun = new Map<string, Promise<boolean>[]>();

  /** `confirm` is called for every change that was applied as a whole. */
  constructor(tell: (subject: string) => Promise<boolean>, confirm: (from: string, number: string) => void) {
    this.#tell = tell;
    this.#confirm = confirm;
  }

  /** The words of a notice: who says it, what has changed, and perhaps which change of his it belongs to. */
  hear([from, subject, number, last]: readonly string[]): void {
    if (from === undefined || subject === undefined) return;
    const applied = this.#tell(subject);
    // A node of an earlier version waits for nobody.
    if (number === undefined) return;
    const key = `${from} ${number}`;
    const all = this.#begun.get(key) ?? [];
    all.push(applied);
    if (last === undefined) {
      this.#begun.set(key, all);
      return;
    }
    this.#begun.delete(key);
    void Promise.all(all).then((each) => each.every(Boolean) && this.#confirm(from, number));
  }
}
