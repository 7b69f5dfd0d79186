/** Result for a source row: an imported row, or the reason why it is skipped. */
export type Outcome<Row> = Coming<Row> | Staying;

export interface Coming<Row> {
  readonly row: Row;
  /** Differences from the source row, for the report. */
  readonly changes: readonly string[];
}

export interface Staying {
  readonly reason: string;
}

export const staysBehind = (outcome: Outcome<unknown>): outcome is Staying => 'reason' in outcome;

export const tooLong: Staying = { reason: 'has a text longer than 1,000,000 characters' };
