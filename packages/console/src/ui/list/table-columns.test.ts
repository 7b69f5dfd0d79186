import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { columnWidths, emptyCellsBeforeLast, visibleColumns } from './table-columns.ts';

interface Row {
  readonly quota: number;
}

const column = (id: string, more: Partial<Column<Row>> = {}): Column<Row> => ({
  id,
  title: id,
  cell: () => id,
  ...more,
});
const ids = (columns: readonly Column<Row>[]) => columns.map(({ id }) => id);

test('shows the selected columns, and extra columns by default only on a wide screen', () => {
  const columns = [column('id'), column('name'), column('used', { isExtra: true })];
  expect(ids(visibleColumns(columns, {}, false))).toEqual(['id', 'name']);
  expect(ids(visibleColumns(columns, {}, true))).toEqual(['id', 'name', 'used']);
  expect(ids(visibleColumns(columns, { used: true, id: false }, false))).toEqual(['name', 'used']);
  expect(ids(visibleColumns(columns, { used: false }, true))).toEqual(['id', 'name']);
  expect(ids(visibleColumns(columns, { gone: true }, false))).toEqual(['id', 'name']);
});

test('keeps at least one column', () => {
  expect(ids(visibleColumns([column('id'), column('name')], { id: false, name: false }, false))).toEqual(['id']);
});

test('distributes the remaining width only to columns that grow', () => {
  const { least, widths } = columnWidths(
    [column('id', { width: 80 }), column('name', { width: 100, grow: 3 }), column('status', { width: 100, grow: 1 })],
    false,
  );
  expect(least).toBe(280);
  expect(widths).toEqual([
    '80px',
    'calc(100px + max(0px, 100cqi - 280px) * 0.7500)',
    'calc(100px + max(0px, 100cqi - 280px) * 0.2500)',
  ]);
});

test('grows all columns in proportion to their width if none is set to grow', () => {
  const { widths } = columnWidths([column('id', { width: 100 }), column('name', { width: 300 })], false);
  expect(widths.map((width) => width.slice(-7))).toEqual([' 0.2500)', ' 0.7500)'].map((share) => share.slice(-7)));
});

test('reserves a fixed width for the actions', () => {
  expect(columnWidths([column('id', { width: 100, grow: 1 })], true)).toMatchObject({ least: 192 });
});

test('extends the last column over the empty cells directly before it', () => {
  const isBlank = ({ quota }: Row) => quota === 0;
  const columns = [
    column('time'),
    column('prompt', { isBlank }),
    column('quota', { isBlank }),
    column('details', { usesEmptyCells: true }),
  ];
  expect(emptyCellsBeforeLast(columns, { quota: 0 })).toBe(2);
  expect(emptyCellsBeforeLast(columns, { quota: 5 })).toBe(0);
  expect(emptyCellsBeforeLast(columns.slice(0, 3), { quota: 0 })).toBe(0);
  expect(emptyCellsBeforeLast(columns.slice(1), { quota: 0 })).toBe(2);
});
