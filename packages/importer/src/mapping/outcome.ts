/** Result for a source row: an imported row, or the reason why it is skipped. */
export type Outcome<Row> = Accepted<Row> | Skipped;

export interface Accepted<Row> {
  readonly row: Row;
  /** Differences from the source row, for the report. */
  readonly changes: readonly string[];
}

export interface Skipped {
  readonly reason: string;
}

export const isSkipped = (outcome: Outcome<unknown>): outcome is Skipped => 'reason' in outcome;

export const tooLong: Skipped = { reason: 'has a text longer than 1,000,000 characters' };
