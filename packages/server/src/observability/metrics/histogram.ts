import type { Labels, Sample } from './exposition.ts';

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  /** Bounds in ascending order; values above the last are counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const place = this.#bounds.findIndex((bound) => value <= bound);
    const index = place < 0 ? this.#bounds.length : place;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  /** Cumulative buckets, as Prometheus expects. */
  samples(labels: Labels): readonly Sample[] {
    let count = 0;
    const buckets = [...this.#bounds, '+Inf'].map((le, index) => {
      count += this.#counts[index] ?? 0;
      return { suffix: '_bucket', labels: { ...labels, le }, value: count };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }];
  }
}
