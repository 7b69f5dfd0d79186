const windowMs = 100;
/** Charges per window that make it busy: 500 a second. */
const manyInWindow = 50;
/** Consecutive busy windows that make the pace steady. */
const windowsBeforeSteady = 3;

/** Detects whether charges arrive so steadily that another one is expected soon, even if no request is in flight. */
export class ChargePace {
  readonly #now: () => number;
  #windowBegan = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #busyWindows = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isSteady(): boolean {
    return this.#busyWindows >= windowsBeforeSteady;
  }

  add(charges: number): void {
    const now = this.#now();
    const elapsed = now - this.#windowBegan;
    if (elapsed >= windowMs) {
      const wasBusy = this.#inWindow >= manyInWindow && elapsed < 2 * windowMs;
      this.#busyWindows = wasBusy ? this.#busyWindows + 1 : 0;
      this.#windowBegan = now;
      this.#inWindow = 0;
    }
    this.#inWindow += charges;
  }
}
