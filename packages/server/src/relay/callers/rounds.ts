/** Goes round a map, some entries at a time. What is added or removed meanwhile does no harm. */
export class Rounds<K, V> {
  readonly #map: ReadonlyMap<K, V>;
  #round: Iterator<[K, V]>;

  constructor(map: ReadonlyMap<K, V>) {
    this.#map = map;
    this.#round = map.entries();
  }

  /** None of them twice; fewer where the round ends. */
  next(most: number): readonly [K, V][] {
    const entries: [K, V][] = [];
    while (entries.length < most) {
      const { done, value } = this.#round.next();
      if (done) {
        this.#round = this.#map.entries();
        break;
      }
      entries.push(value);
    }
    return entries;
  }
}
