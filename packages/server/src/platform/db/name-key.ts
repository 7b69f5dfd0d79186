import { sql } from 'kysely';

/** Names that differ only in case or width are the same name. */
export const nameKey = (name: string) => sql<string>`fold_case(${name.normalize('NFKC')})`;
