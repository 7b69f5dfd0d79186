import type { Selectable } from 'kysely';
import type { Schema } from './schema.ts';

/** A stored user. May be used everywhere in the server, because the caller of every request is a user. */
export type UserRow = Selectable<Schema['users']>;

/** A stored log, which statements and exports of other areas read. */
export type LogRow = Selectable<Schema['logs']>;

export type TableName = keyof Schema;
