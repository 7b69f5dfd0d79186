import type { Insertable, Selectable } from 'kysely';
import type { Schema } from './schema.ts';

/** A user as stored: what every request's caller is, so that all of the server may name it. */
export type UserRow = Selectable<Schema['users']>;

/** Usage in columns, as stored and as it is written. */
export type UsagePackRow = Selectable<Schema['usage_packs']>;
export type NewUsagePack = Insertable<Schema['usage_packs']>;

export type TableName = keyof Schema;
