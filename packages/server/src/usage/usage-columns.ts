import { logType } from '@headgate/contract';
import { sql } from 'kysely';

/** Only requests are usage; other logs are added up too. */
export const requestTypes = sql<boolean>`${sql.ref('type')} in (${sql.lit(logType.consumption)}, ${sql.lit(logType.failure)})`;
