const windowMs = 100;
/** How many charges make a window busy: 500 a second. */
const manyInWindow = 50;
/** How many busy windows in a row make the pace steady. */
const windowsBeforeSteady = 3;

/** Whether charges come so steadily that the next will be here before long, even if none is under way right now. */
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
