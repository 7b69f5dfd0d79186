interface GatheredNotesDependencies<Key, Note> {
  /** One about which nothing is noted yet. */
  readonly empty: () => Note;
  readonly write: (notes: ReadonlyMap<Key, Note>) => Promise<void>;
  /** However much is noted, it is written down this often at most. */
  readonly everyMs: number;
  /** What cannot be written is missed: these notes are no money. */
  readonly onFailure: (error: unknown) => void;
}

/** What requests leave in memory: written behind their back, together with all others of the same time. */
export class GatheredNotes<Key, Note> {
  readonly #dependencies: GatheredNotesDependencies<Key, Note>;
  #notes = new Map<Key, Note>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(dependencies: GatheredNotesDependencies<Key, Note>) {
    this.#dependencies = dependencies;
  }

  /** The one to be added to. */
  of(key: Key): Note {
    const known = this.#notes.get(key);
    if (known) return known;
    const note = this.#dependencies.empty();
    this.#notes.set(key, note);
    this.#timer ??= setTimeout(() => void this.#write(), this.#dependencies.everyMs).unref();
    return note;
  }

  /** Waits until all that was noted at the call is written, however much is noted meanwhile. */
  async catchUp(): Promise<void> {
    const hasNews = this.#notes.size > 0;
    await this.#writing;
    // Another who waited may have begun to write it.
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
