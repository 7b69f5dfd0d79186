/**
 * Matches tool results to calls. Gemini's calls may have no id: results are then matched by name and order, and both
 * get a position-based id, so that other wire formats can match them and ids stay stable in the next turn.
 */
export class CallIds {
  readonly #known = new Set<string>();
  readonly #responded = new Set<string>();
  /** Calls without a result, by function name, in order. */
  readonly #waiting = new Map<string, Waiting>();

  /** Starts a new step: results belong to the calls of the previous step. */
  beginStep(): void {
    this.#known.clear();
    this.#responded.clear();
    this.#waiting.clear();
  }

  add(id: string, name: string): void {
    this.#known.add(id);
    const waiting = this.#waiting.get(name);
    if (waiting) waiting.ids.push(id);
    else this.#waiting.set(name, { ids: [id], next: 0 });
  }

  /** Id of the call to which a result belongs; undefined if there is no such call and the result has no id. */
  ofResult(id: string | undefined, name: string): string | undefined {
    const found = id !== undefined && this.#known.has(id) ? id : (this.#nextOf(name) ?? id);
    if (found !== undefined) this.#responded.add(found);
    return found;
  }

  #nextOf(name: string): string | undefined {
    const waiting = this.#waiting.get(name);
    if (!waiting) return undefined;
    let id = waiting.ids[waiting.next++];
    while (id !== undefined && this.#responded.has(id)) id = waiting.ids[waiting.next++];
    return id;
  }
}

interface Waiting {
  readonly ids: string[];
  next: number;
}
