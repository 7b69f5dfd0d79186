/** Number of slots per window. The usage of a slot expires one window after its end. */
const slotsPerWindow = 60;

interface Slot {
  readonly number: number;
  amount: number;
}

/** Amount used in the slot a given number of slots ago. */
export type SlotAmount = readonly [age: number, amount: number];

/**
 * Usage within the window that ends now. Never too low: no span of `windowMs` has more usage than reported at its
 * end. Usage expires after at most a window plus a sixtieth of it.
 */
export class SlidingWindow {
  readonly #slotMs: number;
  /** Oldest first; empty slots are dropped. */
  #slots: Slot[] = [];
  #total = 0;

  constructor(windowMs: number) {
    this.#slotMs = windowMs / slotsPerWindow;
  }

  total(now: number): number {
    this.#forgetOld(now);
    return this.#total;
  }

  add(amount: number, now: number): void {
    this.#forgetOld(now);
    this.#addTo(this.#slotOf(now), amount);
  }

  /** Corrects an amount that was added earlier; ignored if that is outside the window. */
  correct(difference: number, at: number, now: number): void {
    this.#forgetOld(now);
    const slot = this.#slotOf(at);
    if (this.#isOld(slot, now)) return;
    if (difference > 0) this.#addTo(slot, difference);
    else this.#takeFrom(slot, -difference);
  }

  /** Milliseconds until at most `most` is used if nothing is added. */
  msUntil(max: number, now: number): number {
    let left = this.total(now);
    for (const { number, amount } of this.#slots) {
      if (left <= max) break;
      left -= amount;
      if (left <= max) return this.#endOf(number) - now;
    }
    return 0;
  }

  /** Compact form: usage of ten slots is reported as if it were in the last of them. */
  slotAmounts(now: number): SlotAmount[] {
    this.#forgetOld(now);
    const current = this.#slotOf(now);
    const byAge = new Map<number, number>();
    for (const { number, amount } of this.#slots) {
      const age = Math.floor((current - number) / slotsPerReportedAmount) * slotsPerReportedAmount;
      byAge.set(age, (byAge.get(age) ?? 0) + amount);
    }
    return [...byAge];
  }

  addReported(reported: readonly SlotAmount[], now: number): void {
    const current = this.#slotOf(now);
    for (const [age, amount] of reported) if (age <= slotsPerWindow) this.#addTo(current - age, amount);
  }

  #slotOf(time: number): number {
    return Math.floor(time / this.#slotMs);
  }

  #isOld(slot: number, now: number): boolean {
    return this.#slotOf(now) - slot > slotsPerWindow;
  }

  /** Time at which the usage of a slot expires. */
  #endOf(slot: number): number {
    return (slot + slotsPerWindow + 1) * this.#slotMs;
  }

  #forgetOld(now: number): void {
    let old = 0;
    for (const { number, amount } of this.#slots) {
      if (!this.#isOld(number, now)) break;
      this.#total -= amount;
      old += 1;
    }
    if (old > 0) this.#slots.splice(0, old);
  }

  #addTo(number: number, amount: number): void {
    if (amount <= 0) return;
    this.#total += amount;
    const index = this.#slots.findLastIndex((slot) => slot.number <= number);
    const slot = this.#slots[index];
    if (slot?.number === number) slot.amount += amount;
    else this.#slots.splice(index + 1, 0, { number, amount });
  }

  /** Subtracts from that slot and, if it has too little, from later slots. */
  #takeFrom(number: number, amount: number): void {
    let left = amount;
    for (const slot of this.#slots) {
      if (slot.number < number) continue;
      const taken = Math.min(slot.amount, left);
      slot.amount -= taken;
      this.#total -= taken;
      left -= taken;
      if (left === 0) break;
    }
    this.#slots = this.#slots.filter((slot) => slot.amount > 0);
  }
}

const slotsPerReportedAmount = 10;
