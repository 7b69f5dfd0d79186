interface GatheredNotesDependencies<Key, Note> {
  /** Creates an empty entry. */
  readonly empty: () => Note;
  readonly write: (notes: ReadonlyMap<Key, Note>) => Promise<void>;
  /** Minimum interval between writes. */
  readonly everyMs: number;
  /** Called when entries are lost, so entries must not contain money. */
  readonly onFailure: (error: unknown) => void;
}

/** Collects updates from requests in memory and writes them in batches in the background. */
export class BatchedUpdates<Key, Note> {
  readonly #dependencies: GatheredNotesDependencies<Key, Note>;
  #notes = new Map<Key, Note>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(dependencies: GatheredNotesDependencies<Key, Note>) {
    this.#dependencies = dependencies;
  }

  /** The entry of a key, to be updated in place. */
  of(key: Key): Note {
    const known = this.#notes.get(key);
    if (known) return known;
    const note = this.#dependencies.empty();
    this.#notes.set(key, note);
    this.#timer ??= setTimeout(() => void this.#write(), this.#dependencies.everyMs).unref();
    return note;
  }

  /** Waits until everything recorded before the call is written, regardless of later updates. */
  async catchUp(): Promise<void> {
    const hasNews = this.#notes.size > 0;
    await this.#writing;
    // Another waiter may already be writing it.
    if (hasNews) await this.#write();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      .catch(this.#dependencies.onFailure)
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const notes = this.#notes;
    this.#notes = new Map();
    if (notes.size > 0) await this.#dependencies.write(notes);
  }
}
