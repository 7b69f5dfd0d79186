/** The gateways whose databases can be read, by what people call them. */
export const sourceKinds = { 'one-api': 'One API', 'new-api': 'new-api' } as const;
export type SourceKind = keyof typeof sourceKinds;

/** A row as the source has it. A whole number that is too large to be counted exactly is a bigint. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** What is read at once; a table that the source does not have is empty. */
export const sourceTables = ['users', 'tokens', 'channels', 'redemptions', 'options', 'two_fas'] as const;
type SourceTable = (typeof sourceTables)[number];

/** All of the source but its logs, as of one moment. */
export interface SourceContents {
  readonly tables: Readonly<Record<SourceTable, readonly SourceRow[]>>;
  /** The last log there was at that moment: what was used until then is told by no later one. */
  readonly lastLogId: number;
}

export interface LogPage {
  /** Only logs with a higher id than this, and none higher than the other. */
  readonly after: number;
  readonly upTo: number;
  /** In seconds since 1970. */
  readonly since: number;
  readonly most: number;
}

/**
 * The database of another gateway. It is only read, and may be in use meanwhile: nobody is kept waiting for longer than one
 * of these calls takes.
 */
export interface ImportSource {
  readonly kind: SourceKind;
  contents(): Promise<SourceContents>;
  /** In the order of their ids. */
  logs(page: LogPage): Promise<readonly SourceRow[]>;
  close(): Promise<void>;
}

type ColumnsOf = (table: string) => ReadonlySet<string>;

const needed: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['users', ['id', 'username', 'password', 'role', 'quota', 'used_quota']],
  ['tokens', ['id', 'user_id', 'key', 'remain_quota']],
  ['channels', ['id', 'type', 'key', 'models', 'group']],
  ['options', ['key', 'value']],
];

/** Told by columns that only one of them has; undefined for a database of neither. */
export function recognisedKind(columnsOf: ColumnsOf): SourceKind | undefined {
  const isGateway = needed.every(([table, columns]) => columns.every((column) => columnsOf(table).has(column)));
  if (!isGateway) return undefined;
  const isNewApi = columnsOf('tokens').has('model_limits') || columnsOf('users').has('aff_quota');
  return isNewApi ? 'new-api' : 'one-api';
}
