/** What becomes of a row of the source: a row of ours, or the reason why it stays behind. */
export type Outcome<Row> = Coming<Row> | Staying;

export interface Coming<Row> {
  readonly row: Row;
  /** What is different about it here, each in a few words. */
  readonly changes: readonly string[];
}

export interface Staying {
  readonly reason: string;
}

export const staysBehind = (outcome: Outcome<unknown>): outcome is Staying => 'reason' in outcome;

export const tooLong: Staying = { reason: 'has a text of more than a million characters' };
