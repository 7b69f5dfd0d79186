import { refName, type Schema } from './openapi/schema.ts';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text with `code` in backticks and blank lines between paragraphs. */
export const renderText = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${renderInline(paragraph)}</p>`)
    .join('');

const renderInline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Short name of a schema's type, with links to named schemas. */
export function renderType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escapeHtml(refName(schema.$ref));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return options.map(renderType).join(' or ');
  if (schema.items) return `array of ${renderType(schema.items)}`;
  if (schema.additionalProperties && typeof schema.additionalProperties === 'object')
    return `map of ${renderType(schema.additionalProperties)}`;
  const values = schema.enum ?? ('const' in schema ? [schema.const] : []);
  if (values.length > 0) return values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' ');
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '));
}

const grouped = (value: number): string => value.toLocaleString('en');

/** Bounds and default value of a schema. */
function renderBounds({ minimum, maximum, maxLength, default: initial }: Schema): string {
  const bounds = [
    minimum !== undefined && `min. ${grouped(minimum)}`,
    maximum !== undefined && `max. ${grouped(maximum)}`,
    maxLength !== undefined && `max. ${grouped(maxLength)} characters`,
    initial !== undefined && `default ${JSON.stringify(initial)}`,
  ].filter((bound) => bound !== false);
  return bounds.length === 0 ? '' : `<small>${escapeHtml(bounds.join(', '))}</small>`;
}

interface Field {
  readonly name: string;
  readonly note: string;
  readonly description: string;
  readonly schema: Schema;
}

/** Request schemas mark the required fields, other schemas the optional ones. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema, mark: 'required' | 'optional'): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    note: required.includes(name) === (mark === 'required') ? mark : '',
    description: schema.description ?? '',
    schema,
  }));

export function renderFields(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, note, description, schema }) =>
      `<div class="field"><div><code>${escapeHtml(name)}</code>${note && ` <em>${note}</em>`}</div>
<div class="type">${renderType(schema)} ${renderBounds(schema)}</div><div>${renderInline(description)}</div></div>`,
  );
  return `<div class="fields">${rows.join('')}</div>`;
}
