import { sql } from 'kysely';
import type { Column } from '../../commands/archive/archive-contents.ts';
import { readArchiveSchema } from '../../commands/archive/archive-schema-repository.ts';
import { archivedTable, archivedTables } from '../../commands/archive/archived-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { sampleNumbers } from '../records/sample-logs.ts';

const rowsEach = 12;
const hour = 3600;
const firstHour = 1_700_000_000 - (1_700_000_000 % 86_400);

/** Columns with the id of the row or of a row in another table. */
const references: ReadonlySet<string> = new Set([
  ...['id', 'user_id', 'channel_id', 'organization_id', 'token_id'],
  ...['group_id', 'directory_user_id', 'provider_id', 'issuer_id'],
]);
/** Columns that distinguish rows by time. */
const times: ReadonlySet<string> = new Set(['created_at', 'hour', 'day', 'start', 'minute', 'start_time']);
/** Columns that may exceed 32 bits. */
const large: ReadonlySet<string> = new Set(['quota', 'used_quota', 'credited', 'cost', 'remain_quota']);

const texts = [
  '',
  'plain',
  'it\'s "quoted"',
  'new\nline\ttab\r',
  'back\\slash \\x00 \\u0000',
  '{"a":[1,null]}',
  'ÄÖ漢字🎈',
  'v1:no seal',
  '\u2028',
  ' ',
];

/** Fills every exported table with random rows that fit its columns; deterministic by seed. */
export async function fillWithRandomRows(database: Database, box: SecretBox, seed: number): Promise<void> {
  const random = new RandomCells(seed);
  const schema = await readArchiveSchema(database);
  for (const table of archivedTables) {
    const columns = schema.get(table) ?? [];
    const { sealed = [] } = archivedTable(table) ?? {};
    for (let index = 0; index < rowsEach; index += 1) {
      const cells = columns.map((column) => {
        const value = random.cell(column, index);
        const isSecret = sealed.includes(column.name) && table !== 'options' && value !== '';
        return [column.name, isSecret ? box.seal(String(value)) : value] as const;
      });
      const row = { ...Object.fromEntries(cells), ...(table === 'options' && optionOf(index, box)) };
      const names = Object.keys(row).map((name) => sql.ref(name));
      await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(Object.values(row))})`.execute(
        database,
      );
    }
  }
}

/** Encrypted and plain options, and one option that this version does not have. */
function optionOf(index: number, box: SecretBox): object {
  const rows = [
    { key: 'SMTPToken', value: box.seal('mail secret') },
    { key: 'GitHubClientSecret', value: '' },
    { key: 'SystemName', value: 'v1:looks sealed' },
  ];
  return rows[index] ?? { key: `unknown${index}` };
}

class RandomCells {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = sampleNumbers(seed);
  }

  cell({ name, kind, isNullable }: Column, index: number): unknown {
    if (isNullable && this.#upTo(3) === 0) return null;
    if (kind === 'bytes') return Buffer.from(Array.from({ length: this.#upTo(40) }, () => this.#upTo(256)));
    if (kind === 'real') return (this.#next() - 0.5) * 10 ** this.#upTo(12);
    if (kind === 'text') return `${texts[this.#upTo(texts.length)]}${index}`;
    return this.#integer(name, index);
  }

  #integer(name: string, index: number): number {
    // Ids have gaps, and references by id match an existing row.
    if (references.has(name)) return (index + 1) * 7;
    if (times.has(name)) return firstHour + index * 24 * hour;
    if (name === 'rows') return 1 + this.#upTo(1000);
    const max = large.has(name) ? 2 ** 50 : 2 ** 31 - 1;
    return this.#upTo(max) * (this.#upTo(4) === 0 ? -1 : 1);
  }

  #upTo(max: number): number {
    return Math.floor(this.#next() * max);
  }
}
