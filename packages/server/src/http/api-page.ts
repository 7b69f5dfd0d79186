import { escapeHtml, fieldsOf, renderFields, renderText, renderType } from './api-page-schema.ts';
import { apiPageStyle } from './api-page-style.ts';
import type { ApiDocument } from './openapi/document.ts';
import { type Content, type DocumentedOperation, refName, type Schema, type Schemas } from './openapi/schema.ts';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** The OpenAPI document as one page, without scripts or external resources. */
export function renderApiPage(document: ApiDocument): string {
  const { title, version, description } = document.info;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Row => ({ method, path, operation })),
  );
  const byTag = Map.groupBy(rows, ({ operation }) => operation.tags[0] ?? '');
  const schemas: Schemas = document.components.schemas;
  const sections = document.tags.map(
    (tag) =>
      `<section id="${anchorOf(tag.name)}"><h2>${escapeHtml(tag.name)}</h2>${renderText(tag.description)}
${(byTag.get(tag.name) ?? []).map((row) => renderRow(row, schemas)).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${apiPageStyle}</style></head>
<body><nav><b>${escapeHtml(title)}</b>${document.tags.map(({ name }) => `<a href="#${anchorOf(name)}">${escapeHtml(name)}</a>`).join('')}<a href="#schemas">Schemas</a></nav>
<main><h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>${renderText(description)}
<p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1)</p>
${sections.join('')}
<section id="schemas"><h2>Schemas</h2>${Object.entries(schemas).map(renderSchema).join('')}</section>
</main></body></html>`;
}

const anchorOf = (tag: string): string => `tag-${tag.toLowerCase().replace(/\W+/g, '-')}`;

function renderRow({ method, path, operation }: Row, schemas: Schemas): string {
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b><code>${escapeHtml(path)}</code>
<span>${escapeHtml(operation.summary)}</span><em>${escapeHtml(operation['x-access'])}</em></summary>
<div class="body" id="${operation.operationId}">${renderText(operation.description)}
${renderParameters(operation)}${renderRequest(operation, schemas)}${renderResponse(operation)}</div></details>`;
}

function renderParameters({ parameters = [] }: DocumentedOperation): string {
  if (parameters.length === 0) return '';
  const fields = parameters.map(({ name, in: place, required, description = '', schema }) => ({
    name,
    note: [place, required && 'required'].filter(Boolean).join(', '),
    description,
    schema,
  }));
  return `<h3>Parameters</h3>${renderFields(fields)}`;
}

function renderRequest({ requestBody }: DocumentedOperation, schemas: Schemas): string {
  if (!requestBody) return '';
  const { $ref = '' } = requestBody.content['application/json']?.schema ?? {};
  const fields = fieldsOf(schemas[refName($ref)] ?? {}, 'required');
  return `<h3>Request body</h3>${renderFields(fields)}${renderExample('Example request', requestBody.content)}`;
}

function renderResponse({ responses }: DocumentedOperation): string {
  const { content } = responses[200];
  const data = dataOf(content);
  const type = data ? `<p>${renderType(data)}: ${escapeHtml(data.description ?? '')}</p>` : '';
  return `<h3>Response</h3>${type}${renderExample('Example response', content)}`;
}

/** The schema of `data` in the envelope, or of one line of a file. */
function dataOf(content: Content): Schema | undefined {
  const line = content['application/x-ndjson']?.schema;
  const envelope = content['application/json']?.schema.oneOf?.[0];
  return line ?? envelope?.allOf?.at(-1)?.properties?.['data'];
}

function renderExample(title: string, content: Content): string {
  const { example } = content['application/json'] ?? content['application/x-ndjson'] ?? {};
  return `<h4>${title}</h4><pre>${escapeHtml(JSON.stringify(example, undefined, 2))}</pre>`;
}

function renderSchema([name, schema]: readonly [string, Schema]): string {
  const mark = name.endsWith('Request') ? 'required' : 'optional';
  const content = schema.properties ? renderFields(fieldsOf(schema, mark)) : `<p>${renderType(schema)}</p>`;
  return `<details><summary><code>${escapeHtml(name)}</code></summary>
<div class="body" id="schema-${escapeHtml(name)}">${renderText(schema.description ?? '')}${content}</div></details>`;
}
