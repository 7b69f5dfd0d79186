import type { FastifyInstance } from 'fastify';
import { type ApiDocument, apiDocument } from './openapi/document.ts';
import { type Content, type DocumentedOperation, refName, type Schema, type Schemas } from './openapi/schema.ts';

/** Style of the API page, for light and dark color schemes. */
const apiPageStyle = `
:root{color-scheme:light dark;--line:light-dark(#d9dee5,#363b44);--muted:light-dark(#5b6572,#9aa4b2);--panel:light-dark(#f5f7f9,#1d2127);
--link:light-dark(#1c5fb8,#7db4ff);background:light-dark(#fff,#15181c);color:light-dark(#1b1f24,#e4e8ee);font:15px/1.55 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:15rem minmax(0,1fr)}a{color:var(--link)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);display:flex;flex-direction:column;gap:.15rem}
nav b{margin-bottom:.75rem}nav a{color:inherit;text-decoration:none;padding:.15rem .5rem;border-radius:4px}nav a:hover{background:var(--panel)}
main{max-width:64rem;padding:1.5rem 2rem 6rem;min-width:0}h1{margin:0 0 1rem}h1 small{font-size:.5em;color:var(--muted);font-weight:400}
section{margin-top:3rem;scroll-margin-top:1rem}h2{margin:0;font-size:1.35rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}h4{font-size:.85rem;margin:1rem 0 .35rem;color:var(--muted);font-weight:600}
p{margin:.5rem 0;max-width:48rem}code,pre{font:.87em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
details{border-top:1px solid var(--line)}details:last-child{border-bottom:1px solid var(--line)}p+details{margin-top:1rem}
summary{padding:.55rem 0;cursor:pointer;display:flex;gap:.35rem .9rem;flex-wrap:wrap;align-items:baseline}summary:hover{background:var(--panel)}
summary b{min-width:4rem;font:600 .8em ui-monospace,monospace}summary code{overflow-wrap:anywhere;min-width:22rem}summary span{flex:1;min-width:12rem}em{color:var(--muted);font-style:normal;font-size:.85em}
b.get{color:light-dark(#1f7a38,#69db7c)}b.post{color:light-dark(#3b5bdb,#91a7ff)}b.put{color:light-dark(#a85600,#ffc078)}b.delete{color:light-dark(#c92a2a,#ff8787)}
.body{padding:.25rem 0 1.5rem 1rem;border-left:2px solid var(--line);margin-bottom:1rem;scroll-margin-top:3.5rem}
.fields{border:1px solid var(--line);border-radius:6px}.field{display:grid;grid-template-columns:minmax(9rem,14rem) minmax(8rem,14rem) minmax(0,1fr);gap:.25rem 1rem;padding:.45rem .75rem}
.field+.field{border-top:1px solid var(--line)}.field>div{overflow-wrap:anywhere}.type,.type small{color:var(--muted)}.type small{display:block}
pre{margin:0;overflow:auto;max-height:24rem;background:var(--panel);padding:.75rem 1rem;border-radius:6px}
@media (max-width:56rem){body{display:block}nav{position:static;height:auto;flex-flow:row wrap;border-right:0;border-bottom:1px solid var(--line);padding:1rem}nav b{display:none}nav a{padding:.15rem 0;margin-right:.75rem}
main{padding:1rem 1rem 4rem}.field{grid-template-columns:minmax(0,1fr)}summary code{min-width:0}summary b{min-width:3.5rem}summary span{flex-basis:100%;order:1}summary em{margin-left:auto}.body{padding-left:.75rem}}`;

/** Serves the OpenAPI document at `/api/openapi.json` and a readable page at `/api/docs`. Both are built on first use. */
export function serveApiDocuments(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', (_, reply) => {
    document ??= JSON.stringify(apiDocument(version));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', (_, reply) => {
    page ??= renderApiPage(apiDocument(version));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** The OpenAPI document as one page, without scripts or external resources. */
function renderApiPage(document: ApiDocument): string {
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
  const fields = parameters.map(({ name, in: within, required, description = '', schema }) => ({
    name,
    note: [within, required && 'required'].filter(Boolean).join(', '),
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

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text with `code` in backticks and blank lines between paragraphs. */
const renderText = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${renderInline(paragraph)}</p>`)
    .join('');

const renderInline = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** Short name of a schema's type, with links to named schemas. */
function renderType(schema: Schema): string {
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
const fieldsOf = ({ properties = {}, required = [] }: Schema, mark: 'required' | 'optional'): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    note: required.includes(name) === (mark === 'required') ? mark : '',
    description: schema.description ?? '',
    schema,
  }));

function renderFields(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, note, description, schema }) =>
      `<div class="field"><div><code>${escapeHtml(name)}</code>${note && ` <em>${note}</em>`}</div>
<div class="type">${renderType(schema)} ${renderBounds(schema)}</div><div>${renderInline(description)}</div></div>`,
  );
  return `<div class="fields">${rows.join('')}</div>`;
}
