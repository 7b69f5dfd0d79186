import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** A failure of the relay, or one of the short names it is made by, with what is given to it. */
const failure = /\b(?:RelayError|unauthorised|forbidden|badRequest|refused)\(((?:[^()]|\([^()]*\))*)\)/g;

/** Those that say whose fault it is, not what it was. */
const types: ReadonlySet<string> = new Set(['headgate_error', 'invalid_request_error', 'rate_limit_error']);

const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(failure)].flatMap(([, given = '']) =>
    [...given.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map(([, code = '']) => code),
  );

test('docs/troubleshooting.md tells of every code that the relay answers with', () => {
  const sources = ['packages/relay/src', 'packages/server/src'].flatMap((folder) =>
    listFiles(repositoryRoot, folder, /(?<!\.test)\.ts$/),
  );
  const codes = new Set(sources.flatMap((file) => codesIn(readFileSync(join(repositoryRoot, file), 'utf8'))));
  const told = [...codes].filter((code) => !types.has(code));
  expect(told.length).toBeGreaterThan(35);
  const page = readFileSync(join(repositoryRoot, 'docs/troubleshooting.md'), 'utf8');
  expect(told.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
