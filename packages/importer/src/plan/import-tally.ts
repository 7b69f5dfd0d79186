import type { Outcome } from '../mapping/outcome.ts';
import { staysBehind } from '../mapping/outcome.ts';

/** What becomes of the rows of one table, in numbers and, where there is something to say, row by row. */
export interface TableReport {
  /** What the rows are called, in the plural. */
  readonly name: string;
  readonly read: number;
  readonly coming: number;
  /** Rows of a channel with several keys are more here than there. */
  readonly made: number;
  readonly here: number;
  readonly staying: number;
  readonly lines: readonly string[];
}

/** A row of the source as it is spoken of. Names are quoted: one may hold what a terminal would obey. */
export const called = (kind: string, id: string | number, name = ''): string =>
  name === '' ? `${kind} ${id}` : `${kind} ${id} ${JSON.stringify(name)}`;

export class ImportTally {
  readonly #name: string;
  readonly #lines: string[] = [];
  #coming = 0;
  #made = 0;
  #here = 0;
  #staying = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Brought by an earlier run, or the same here as there. */
  isHere(): void {
    this.#here += 1;
  }

  /** What comes of one row of the source: nothing, one row or several. */
  add(label: string, outcomes: readonly Outcome<unknown>[]): void {
    const came = outcomes.filter((outcome) => !staysBehind(outcome)).length;
    if (came > 0) this.#coming += 1;
    else this.#staying += 1;
    this.#made += came;
    const reasons = new Set(outcomes.flatMap((outcome) => (staysBehind(outcome) ? [outcome.reason] : [])));
    for (const reason of reasons) {
      this.#lines.push(came > 0 ? `${label}: a part stays behind: ${reason}` : `${label} stays behind: ${reason}`);
    }
    const changes = outcomes.flatMap((outcome) => (staysBehind(outcome) ? [] : outcome.changes));
    for (const change of changes) this.#lines.push(`${label} ${change}`);
  }

  get report(): TableReport {
    return {
      name: this.#name,
      read: this.#coming + this.#here + this.#staying,
      coming: this.#coming,
      made: this.#made,
      here: this.#here,
      staying: this.#staying,
      lines: [...this.#lines],
    };
  }
}

/** Lines of a report: counts of each table, then each row that changes or stays behind. */
export function reportLines(reports: readonly TableReport[]): readonly string[] {
  return reports.flatMap(({ name, read, coming, made, here, staying, lines }) => [
    `${name}: ${read} read, ${coming} come${made === coming ? '' : ` as ${made}`}, ${here} here already, ${staying} stay behind`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
