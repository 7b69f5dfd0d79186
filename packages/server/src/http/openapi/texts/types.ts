import type { apiTables } from '@headgate/contract';
import type { Tag } from './tag-texts.ts';

/** Field descriptions by name. */
export type FieldTexts = Readonly<Record<string, string>>;

/** Description of a component. Fields without an entry use the shared description for their name. */
export interface SchemaText {
  readonly description: string;
  /** Name of a component whose field descriptions and examples also apply here. */
  readonly like?: string;
  readonly fields?: FieldTexts;
  /** Example values by field; the others are taken from the shared examples. */
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface OperationText {
  /** Title of the operation: a verb and a noun, without a period. */
  readonly summary: string;
  readonly description: string;
  /** Tag of the operation, if it differs from the table's tag. */
  readonly tag?: Tag;
  readonly query?: FieldTexts;
  /** Description of the response's `data`; required unless the data is a named object. */
  readonly data?: string;
  readonly dataExample?: unknown;
  /** Example values of the request body, by field. */
  readonly bodyExample?: Readonly<Record<string, unknown>>;
}

interface ResourceText<Table> {
  readonly tag: Tag;
  readonly params?: FieldTexts;
  readonly query?: FieldTexts;
  readonly operations: { readonly [Row in keyof Table]: OperationText };
}

type Tables = typeof apiTables;

/** Descriptions for some tables; an operation without one does not compile. */
export type ResourceTexts<Names extends keyof Tables> = {
  readonly [Name in Names]: ResourceText<Tables[Name]>;
};

export type SchemaTexts = Readonly<Record<string, SchemaText>>;

export type AllResourceTexts = ResourceTexts<keyof Tables>;
