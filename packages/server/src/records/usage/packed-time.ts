import { endOfHour, secondsPerDay } from '../logs/roll-up.ts';
import { inFewSpans, type Span } from '../logs/time-span.ts';
import type { PackAt } from './usage-pack.ts';
import type { HourState, PackState } from './usage-pack-repository.ts';

/** Which hours of a time are packed and still hold, and which are to be read elsewhere. */
export class PackedTime {
  readonly #hours: readonly HourState[];

  /** Those with requests, oldest first. */
  constructor(hours: readonly HourState[]) {
    this.#hours = hours;
  }

  /** A span cut into spans of packed hours and of others; hours in which there is nothing may lie in either. */
  cut(span: Span): { readonly packed: readonly Span[]; readonly others: readonly Span[] } {
    const hours = this.#in(span);
    const others = inFewSpans(hours.filter((each) => !isPacked(each)).map(({ hour }) => hour));
    const isOther = ({ hour }: HourState) => others.some(({ from, to }) => hour >= from && hour <= to);
    const packed: { from: number; to: number }[] = [];
    let isOpen = false;
    for (const each of hours) {
      const open = packed.at(-1);
      if (isOther(each)) isOpen = false;
      else if (isOpen && open) open.to = endOfHour(each.hour);
      else {
        packed.push({ from: each.hour, to: endOfHour(each.hour) });
        isOpen = true;
      }
    }
    return { packed, others };
  }

  /** The packed hours of a span that no query of `cut` reads. */
  hoursIn(span: Span): readonly PackAt[] {
    const { packed } = this.cut(span);
    return packed.flatMap((each) =>
      this.#in(each).map(({ hour, version }) => ({ start: hour, version: version ?? 0 })),
    );
  }

  /** How many logs the packed hours of a span add up. */
  logsIn(span: Span): number {
    return this.#in(span).reduce((sum, each) => sum + (isPacked(each) ? each.logged : 0), 0);
  }

  /** The days of UTC that lie whole in a span, and whose packs add up as many logs as there are. */
  daysIn(span: Span, days: ReadonlyMap<number, PackState>): readonly PackAt[] {
    const packed = new Set(this.hoursIn(span).map(({ start }) => start));
    const isWhole = (day: number, rows: number) => {
      const end = day + secondsPerDay - 1;
      const hours = this.#in({ from: day, to: end });
      const logged = hours.reduce((sum, each) => sum + each.logged, 0);
      return day >= span.from && end <= span.to && hours.every(({ hour }) => packed.has(hour)) && rows === logged;
    };
    return [...days]
      .filter(([day, { rows }]) => isWhole(day, rows))
      .map(([day, { version }]) => ({ start: day, version }));
  }

  #in({ from, to }: Span): readonly HourState[] {
    return this.#hours.filter(({ hour }) => hour >= from && hour <= to);
  }
}

const isPacked = ({ logged, packed }: HourState): boolean => logged === packed;
