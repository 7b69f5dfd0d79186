/** Loaded before a program: its time of day is wrong by so many seconds. Clocks that only grow are as they are. */
const skewMs = Number(process.env['CLOCK_SKEW_SECONDS'] ?? 0) * 1000;
const TrueDate = Date;

class SkewedDate extends TrueDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given[0] ?? TrueDate.now() + skewMs);
  }

  static override now(): number {
    return TrueDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
