interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly 'x-access'?: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
}

interface Document {
  readonly info: { readonly title: string; readonly description?: string; readonly version: string };
  readonly paths?: object;
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The OpenAPI document as a plain HTML page without scripts or external resources. */
export function renderApiPage(document: Document): string {
  const groups = Map.groupBy(rowsOf(document), (row) => row.operation.tags?.[0] ?? '');
  const { title, version, description = '' } = document.info;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main><h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1><p>${escapeHtml(description)}
Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a></p>
${[...groups].map(([name, rows]) => `<h2>${escapeHtml(name)}</h2>${rows.map(renderRow).join('')}`).join('')}
</main></body></html>`;
}

function rowsOf(document: Document): Row[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({ method, path, operation })),
  );
}

function renderRow({ method, path, operation }: Row): string {
  const access = operation['x-access'] ?? 'visitor';
  return `<details><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(operation.summary ?? '')}</span> <em>${escapeHtml(access)}</em></summary>
<pre>${escapeHtml(JSON.stringify(withoutHead(operation), undefined, 2))}</pre></details>`;
}

function withoutHead(operation: Operation): object {
  const { summary, tags, 'x-access': access, ...rest } = operation;
  return rest;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:2rem auto;padding:0 1rem}h1 small{font-size:.5em;opacity:.6}h2{margin:2rem 0 .5rem}
details{border-top:1px solid #8884}summary{padding:.5rem 0;cursor:pointer;display:flex;gap:.75rem;flex-wrap:wrap}
b{min-width:4.5rem}b.get{color:#2b8a3e}b.post{color:#4c6ef5}b.put{color:#e67700}b.delete{color:#e03131}
span{flex:1}em{opacity:.6}pre{overflow:auto;background:#8881;padding:1rem;border-radius:6px}`;
