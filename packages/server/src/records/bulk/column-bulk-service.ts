import { isDeepStrictEqual } from 'node:util';
import { type BulkReport, maxBulkRows } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import {
  bulkReport,
  hasChanges,
  missingRows,
  planBulkRow,
  type RowPlan,
  requireExpectedCount,
  requireUnchangedPlan,
  type UndoRow,
} from './bulk-plan.ts';
import type { BulkRunService } from './bulk-run-service.ts';
import { valueChange } from './field-change.ts';

type Columns = Readonly<Record<string, unknown>>;

export interface NamedRow {
  readonly id: number;
  readonly name: string;
}

/** Rows with these ids, or rows that match a filter. */
export type RowSelection<Filter> = { readonly ids: readonly number[] } | { readonly filter: Filter };

/** Bulk reads and writes on one table. */
export interface BulkRows<Row extends NamedRow, Filter> {
  read(chosen: RowSelection<Filter>): Promise<Row[]>;
  /** Reads the rows and locks them in a consistent order, to avoid deadlocks. */
  lock(chosen: RowSelection<Filter>): Promise<Row[]>;
  /** All rows must change the same columns. */
  update(rows: readonly { readonly id: number; readonly values: Columns }[]): Promise<void>;
  remove(ids: readonly number[]): Promise<void>;
}

export interface BulkCommand<Filter, Change> {
  readonly chosen: { readonly ids: readonly number[] } | { readonly filter: Filter; readonly count: number };
  readonly change: Change;
  readonly preview: boolean;
  readonly digest?: string | undefined;
}

interface ColumnPlan<Row> extends RowPlan {
  readonly row?: Row;
  readonly columns?: Columns;
}

interface ColumnBulkDependencies<Row extends NamedRow, Filter, Change> {
  /** Identifies the rows in stored undo data: their kind and, if needed, their owner. */
  readonly subject: string;
  /** Number of changes that can be undone; 50 by default. */
  readonly keptRuns?: number;
  readonly rowsIn: (transaction: Transaction | undefined) => BulkRows<Row, Filter>;
  /** New column values of a row, or `delete`. Throws an ApiError if the change is invalid for the row. */
  readonly columnsOf: (row: Row, change: Change) => Columns | 'delete';
  /** Writes audit events in the same transaction. */
  readonly onWritten: (transaction: Transaction, rows: readonly Row[], plan: readonly RowPlan[]) => Promise<void>;
  readonly runs: BulkRunService;
  readonly inTransaction: InTransaction;
}

/** Changes or deletes many rows in one transaction, with a result per row. */
export class ColumnBulkService<Row extends NamedRow, Filter, Change> {
  readonly #dependencies: ColumnBulkDependencies<Row, Filter, Change>;

  constructor(dependencies: ColumnBulkDependencies<Row, Filter, Change>) {
    this.#dependencies = dependencies;
  }

  async run(order: BulkCommand<Filter, Change>, language: Language): Promise<BulkReport> {
    const { rowsIn, runs, keptRuns, inTransaction } = this.#dependencies;
    if (order.preview) return bulkReport(await this.#plan(rowsIn(undefined), order, 'read'), language);
    return inTransaction(async (transaction) => {
      const plan = await this.#plan(rowsIn(transaction), order, 'lock');
      requireUnchangedPlan(plan, order.digest);
      const undo = await this.#write(transaction, plan.filter(hasChanges));
      return bulkReport(plan, language, await runs.keep(transaction, this.#subject, undo, keptRuns));
    });
  }

  /** Fails if one of the rows has been changed or deleted since. */
  undo(id: string, language: Language): Promise<BulkReport> {
    const { rowsIn, runs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const kept = await runs.take(transaction, this.#subject, id);
      if (!kept) throw new ApiError('undoGone');
      const rows = await rowsIn(transaction).lock({ ids: kept.map((row) => row.id) });
      const plan = undonePlan(rows, kept);
      await this.#write(transaction, plan);
      return bulkReport(plan, language);
    });
  }

  get #subject(): string {
    return this.#dependencies.subject;
  }

  async #plan(many: BulkRows<Row, Filter>, order: BulkCommand<Filter, Change>, way: 'read' | 'lock') {
    const { chosen, change } = order;
    const rows = await many[way](chosen);
    if (rows.length > maxBulkRows) throw new ApiError('tooManyBulkRows', { max: String(maxBulkRows) });
    if ('count' in chosen) requireExpectedCount(rows.length, chosen.count);
    const missing = 'ids' in chosen ? missingRows(chosen.ids, rows) : [];
    const plans = rows.map((row): ColumnPlan<Row> => {
      const named = { id: row.id, name: row.name };
      return planBulkRow(named, () => ({ ...named, row, ...shown(row, this.#dependencies.columnsOf(row, change)) }));
    });
    return [...plans, ...missing];
  }

  /** Returns the undo data of the change. Deletions cannot be undone. */
  async #write(transaction: Transaction, plan: readonly ColumnPlan<Row>[]): Promise<UndoRow[]> {
    const { rowsIn, onWritten } = this.#dependencies;
    const written = plan.flatMap(({ row, columns }) => (row && columns ? [{ row, columns }] : []));
    const deleted = plan.flatMap(({ row, columns }) => (row && !columns ? [row.id] : []));
    if (written.length > 0) {
      await rowsIn(transaction).update(written.map(({ row, columns }) => ({ id: row.id, values: columns })));
    }
    if (deleted.length > 0) await rowsIn(transaction).remove(deleted);
    await onWritten(
      transaction,
      plan.flatMap(({ row }) => row ?? []),
      plan,
    );
    return written.map(({ row, columns }) => ({ id: row.id, before: columnsIn(row, columns), after: columns }));
  }
}

const columnsIn = (row: object, columns: Columns): Columns =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, (row as Columns)[name]]));

function shown(row: NamedRow, columns: Columns | 'delete') {
  if (columns === 'delete') return { changes: [valueChange('deleted', '', row.name)] };
  const before = columnsIn(row, columns);
  const changed = Object.entries(columns).filter(([name, value]) => before[name] !== value);
  return { columns, changes: changed.map(([name, value]) => valueChange(name, before[name], value)) };
}

function undonePlan<Row extends NamedRow>(rows: readonly Row[], kept: readonly UndoRow[]): ColumnPlan<Row>[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const others = kept.filter(({ id, after }) => {
    const row = byId.get(id);
    return !row || !isDeepStrictEqual(columnsIn(row, after), after);
  });
  if (others.length > 0) {
    const names = others.slice(0, 3).map(({ id }) => byId.get(id)?.name ?? `#${id}`);
    throw new ApiError('undoTooLate', { count: String(others.length), names: names.join(', ') });
  }
  return kept.flatMap(({ id, before }) => {
    const row = byId.get(id);
    return row ? [{ id, name: row.name, row, ...shown(row, before) }] : [];
  });
}
