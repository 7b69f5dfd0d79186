import { parseArgs } from 'node:util';
import { docsPagesFolder, inspectProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { docsOverview, docsPages, readDocsPage } from './docs-pages.ts';
import { closestMatch } from './doctor/closest-match.ts';
import { exitCodes, runMain, UsageError } from './run-main.ts';

/** `headgate docs [page]`: lists the documentation, or prints a page. */
await runMain(() => {
  const [page] = parseArgs({ allowPositionals: true }).positionals;
  const pages = docsPages(docsPagesFolder);
  if (page === undefined) process.stdout.write(docsOverview(pages, locations()));
  else if (pages.some(({ name }) => name === page)) process.stdout.write(readDocsPage(docsPagesFolder, page));
  else
    throw unknownPage(
      page,
      pages.map(({ name }) => name),
    );
  return exitCodes.done;
});

function unknownPage(name: string, known: readonly string[]): UsageError {
  const closest = closestMatch(name, known);
  const suggestion = closest === undefined ? '' : ` Did you mean "${closest}"?`;
  return new UsageError(`Unknown page ${JSON.stringify(name)}.${suggestion} ${commandLine('docs')} lists the pages.`);
}

function locations(): readonly (readonly [string, string])[] {
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
