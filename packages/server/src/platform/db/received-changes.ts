/** With more incomplete changes than this, the oldest is dropped. */
const mostBegun = 1000;

/** Changes announced by other nodes. */
export class ReceivedChanges {
  readonly #tell: (subject: string) => Promise<boolean>;
  readonly #confirm: (from: string, number: string) => void;
  /** Changes whose last notification has not arrived yet. */
  readonly #begun = new Map<string, Promise<boolean>>();

  /** `confirm` is called for every change that was applied completely. */
  constructor(tell: (subject: string) => Promise<boolean>, confirm: (from: string, number: string) => void) {
    this.#tell = tell;
    this.#confirm = confirm;
  }

  /** Fields of a notification: sender, subject, and optionally the change number and a `last` mark. */
  hear([from, subject, number, last]: readonly string[]): void {
    if (from === undefined || subject === undefined) return;
    const applied = this.#tell(subject);
    // Nodes of an earlier version do not wait for confirmation.
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

  /** Number of incomplete changes. */
  get begun(): number {
    return this.#begun.size;
  }
}

async function both(earlier: Promise<boolean> | undefined, later: Promise<boolean>): Promise<boolean> {
  const isLaterApplied = await later;
  return (await (earlier ?? true)) && isLaterApplied;
}
