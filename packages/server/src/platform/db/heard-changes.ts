/** Of more changes than this whose last notice has not come, that of the first never will. */
const mostBegun = 1000;

/** What other nodes say they have changed. */
export class HeardChanges {
  readonly #tell: (subject: string) => Promise<boolean>;
  readonly #confirm: (from: string, number: string) => void;
  /** Those of a change whose last notice has not come yet. */
  readonly #begun = new Map<string, Promise<boolean>>();

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
    const all = both(this.#begun.get(key), applied);
    this.#begun.delete(key);
    if (last === undefined) this.#begin(key, all);
    else void all.then((isApplied) => isApplied && this.#confirm(from, number));
  }

  #begin(key: string, applied: Promise<boolean>): void {
    this.#begun.set(key, applied);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > mostBegun && oldest !== undefined) this.#begun.delete(oldest);
  }

  /** How many changes wait for their last notice. */
  get begun(): number {
    return this.#begun.size;
  }
}

async function both(earlier: Promise<boolean> | undefined, later: Promise<boolean>): Promise<boolean> {
  const isLaterApplied = await later;
  return (await (earlier ?? true)) && isLaterApplied;
}
