/**
 * Which call a result is for. In Gemini's words calls may have no id: then a result finds its call by the name and the
 * order, and both get an id by their place, so that other wires find them too and the next turn has the same ones.
 */
export class CallIds {
  readonly #known = new Set<string>();
  readonly #answered = new Set<string>();
  /** By the name of the function, in the order of the calls. */
  readonly #waiting = new Map<string, Waiting>();

  /** Results belong to the calls of the step before them. */
  beginStep(): void {
    this.#known.clear();
    this.#answered.clear();
    this.#waiting.clear();
  }

  add(id: string, name: string): void {
    this.#known.add(id);
    const waiting = this.#waiting.get(name);
    if (waiting) waiting.ids.push(id);
    else this.#waiting.set(name, { ids: [id], next: 0 });
  }

  /** The id of the call that a result is for; undefined when there is no such call and it brings no id. */
  answer(id: string | undefined, name: string): string | undefined {
    const found = id !== undefined && this.#known.has(id) ? id : (this.#nextOf(name) ?? id);
    if (found !== undefined) this.#answered.add(found);
    return found;
  }

  #nextOf(name: string): string | undefined {
    const waiting = this.#waiting.get(name);
    if (!waiting) return undefined;
    let id = waiting.ids[waiting.next++];
    while (id !== undefined && this.#answered.has(id)) id = waiting.ids[waiting.next++];
    return id;
  }
}

interface Waiting {
  readonly ids: string[];
  next: number;
}
