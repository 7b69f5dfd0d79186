import { isSkipped, type MappedRow } from '../mapping/map-options.ts';

/** Import counts of one table, and its report lines. */
export interface TableReport {
  /** Plural name of the rows. */
  readonly name: string;
  readonly read: number;
  readonly accepted: number;
  /** Number of created rows; higher than `coming` if channels are split by key. */
  readonly created: number;
  readonly existing: number;
  readonly skipped: number;
  readonly lines: readonly string[];
}

/** Label of a source row. Names are quoted, because they may contain terminal control characters. */
export const rowLabel = (kind: string, id: string | number, name = ''): string =>
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

  /** Counts a row that was imported by an earlier run or already has equal values. */
  addExisting(): void {
    this.#here += 1;
  }

  /** Counts rows that are skipped for the same reason, in one report line. */
  addSkipped(count: number, reason: string): void {
    if (count === 0) return;
    this.#staying += count;
    this.#lines.push(`${count} skipped: ${reason}`);
  }

  /** Adds the outcomes of one source row. */
  add(label: string, outcomes: readonly MappedRow<unknown>[]): void {
    const came = outcomes.filter((outcome) => !isSkipped(outcome)).length;
    if (came > 0) this.#coming += 1;
    else this.#staying += 1;
    this.#made += came;
    const reasons = new Set(outcomes.flatMap((outcome) => (isSkipped(outcome) ? [outcome.reason] : [])));
    for (const reason of reasons) {
      this.#lines.push(came > 0 ? `${label} partly skipped: ${reason}` : `${label} skipped: ${reason}`);
    }
    const changes = outcomes.flatMap((outcome) => (isSkipped(outcome) ? [] : outcome.changes));
    for (const change of changes) this.#lines.push(`${label} ${change}`);
  }

  get report(): TableReport {
    return {
      name: this.#name,
      read: this.#coming + this.#here + this.#staying,
      accepted: this.#coming,
      created: this.#made,
      existing: this.#here,
      skipped: this.#staying,
      lines: [...this.#lines],
    };
  }
}

/** Report lines: the counts of each table, then each changed or skipped row. */
export function reportLines(reports: readonly TableReport[]): readonly string[] {
  return reports.flatMap(({ name, read, accepted, created, existing, skipped, lines }) => [
    `${name}: ${read} read, ${accepted} to import${created === accepted ? '' : ` as ${created}`}, ${existing} already imported, ${skipped} skipped`,
    ...lines.map((line) => `  ${line}`),
  ]);
}
