/** The part of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
}

export type Schemas = Readonly<Record<string, Schema>>;

const refPrefix = '#/components/schemas/';

export const refTo = (name: string): string => `${refPrefix}${name}`;

/** Name of the component that a `$ref` points to. */
export const refName = (ref: string): string => ref.slice(refPrefix.length);

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export type Content = Readonly<Record<string, Media>>;

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
}

interface DocumentedResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Content;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-access': string;
  readonly 'x-scopes': readonly string[];
  readonly 'x-proof'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: { readonly 200: DocumentedResponse } & Readonly<
    Record<string, DocumentedResponse | { readonly $ref: string }>
  >;
}
