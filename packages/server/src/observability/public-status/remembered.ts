import { nowInSeconds } from '../../platform/runtime/clock.ts';

/** One answer, remembered for a while; who asks while it is being made waits for the same. What fails is not remembered. */
export class Remembered<T> {
  readonly #seconds: number;
  #known: { readonly key: string; readonly until: number; readonly answer: Promise<T> } | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** Made anew where the key is another. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = nowInSeconds();
    if (this.#known?.key === key && now < this.#known.until) return this.#known.answer;
    const answer = make();
    const made = { key, until: now + this.#seconds, answer };
    this.#known = made;
    answer.catch(() => {
      if (this.#known === made) this.#known = undefined;
    });
    return answer;
  }
}
