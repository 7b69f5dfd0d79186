import type { Selectable } from 'kysely';
import type { Schema } from './schema.ts';

/** A user as stored: what every request's caller is, so that all of the server may name it. */
export type UserRow = Selectable<Schema['users']>;

export type TableName = keyof Schema;
