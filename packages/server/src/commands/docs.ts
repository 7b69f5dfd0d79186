import { parseArgs } from 'node:util';
import { docsPagesFolder, inspectProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { docsOverview, docsPages, readDocsPage } from './docs-pages.ts';
import { closestWord } from './doctor/closest-word.ts';

/** `headgate docs [page]`: lists the documentation, or prints a page. */
const { positionals } = parseArgs({ allowPositionals: true });
const [page] = positionals;
const pages = docsPages(docsPagesFolder);
// A closed pipe, such as `headgate docs settings | head`.
process.stdout.on('error', () => process.exit(0));
if (page === undefined) process.stdout.write(docsOverview(pages, places()));
else if (pages.some(({ name }) => name === page)) process.stdout.write(readDocsPage(docsPagesFolder, page));
else {
  process.stderr.write(`headgate: ${unknownPage(page)}\n`);
  process.exitCode = 2;
}

function unknownPage(name: string): string {
  const names = pages.map((known) => known.name);
  const meant = closestWord(name, names);
  const suggestion = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `Unknown page ${JSON.stringify(name)}.${suggestion}\n${commandLine('docs')} lists the pages.`;
}

function places(): readonly (readonly [string, string])[] {
  const { config } = inspectProcessConfig();
  const host = config === undefined || /^(0\.0\.0\.0|::)$/.test(config.host) ? '127.0.0.1' : config.host;
  const url = config?.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${config?.port ?? 3000}`;
  return [
    ['In the terminal', commandLine('docs', '<page>')],
    ['In a browser', `${url}/docs, while the gateway runs`],
    ['API reference', `${url}/api/docs`],
    ['As files', docsPagesFolder],
  ];
}
