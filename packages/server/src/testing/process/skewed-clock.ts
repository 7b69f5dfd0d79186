/** Preloaded module that shifts the system time by this many seconds. Monotonic clocks are unaffected. */
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
