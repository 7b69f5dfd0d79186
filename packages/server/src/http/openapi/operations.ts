import { apiTables, type Endpoint } from '@headgate/contract';
import { resourceTexts } from './texts/resource-texts.ts';
import type { FieldTexts, OperationText } from './texts/types.ts';

/** One row of the API tables with its texts. */
export interface Operation {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly tag: string;
  readonly text: OperationText;
  readonly params: FieldTexts;
  readonly query: FieldTexts;
}

interface AnyResource {
  readonly tag: string;
  readonly params?: FieldTexts;
  readonly query?: FieldTexts;
  readonly operations: Readonly<Record<string, OperationText>>;
}

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** Every operation of the API, in the order of the tables. */
export const operations: readonly Operation[] = Object.entries(apiTables).flatMap(([table, rows]) => {
  const {
    tag,
    params = {},
    query = {},
    operations: texts,
  }: AnyResource = resourceTexts[table as keyof typeof apiTables];
  return Object.entries<Endpoint>(rows).map(([row, endpoint]) => {
    const text = texts[row] as OperationText;
    return {
      id: `${table}${capitalize(row)}`,
      endpoint,
      tag: text.tag ?? tag,
      text,
      params,
      query: { ...query, ...text.query },
    };
  });
});
