/** Changed columns of one row. */
export interface UndoRow {
  readonly id: number;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}
