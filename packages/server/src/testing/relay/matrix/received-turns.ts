import type { ReceivedTurn } from './matrix.ts';

/** Turns of a received conversation, with the tool results of one step combined. */
export class ReceivedTurns {
  readonly turns: ReceivedTurn[] = [];
  readonly #cityOf = new Map<string, string>();
  #unanswered: string[] = [];

  user(text: string, pictures: number): void {
    this.turns.push({ user: text, pictures });
  }

  assistant(assistant: string, calls: readonly ReceivedCall[], thought: object = {}): void {
    const requested = calls.map(({ id, name, input }) => {
      if (name !== 'weather') throw new Error(`there is no tool ${name}`);
      const city = cityIn(input);
      this.#unanswered.push(city);
      if (id !== undefined) this.#cityOf.set(id, city);
      return city;
    });
    this.turns.push({ assistant, calls: requested, ...thought });
  }

  /** Matches a result to its call by id, or by order if the wire has no ids. */
  result(id: string | undefined, text: string): void {
    const city = id === undefined ? this.#unanswered[0] : this.#cityOf.get(id);
    if (city === undefined || !this.#unanswered.includes(city)) throw new Error(`no call matches the result ${id}`);
    this.#unanswered = this.#unanswered.filter((other) => other !== city);
    const last = this.turns.at(-1);
    if (last && 'results' in last) this.turns[this.turns.length - 1] = { results: { ...last.results, [city]: text } };
    else this.turns.push({ results: { [city]: text } });
  }
}

interface ReceivedCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly input: unknown;
}

function cityIn(input: unknown): string {
  if (typeof input === 'object' && input !== null && 'city' in input) return String(input.city);
  throw new Error(`the arguments are not an object: ${JSON.stringify(input)}`);
}
