import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** A RelayError, or one of its helper functions, with arguments. */
const failure = /\b(?:RelayError|unauthorised|forbidden|badRequest|refused)\(((?:[^()]|\([^()]*\))*)\)/g;

/** Error types, which are not codes. */
const types: ReadonlySet<string> = new Set(['headgate_error', 'invalid_request_error', 'rate_limit_error']);

const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(failure)].flatMap(([, given = '']) =>
    [...given.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map(([, code = '']) => code),
  );

test('docs/troubleshooting.md covers every error code of the relay', () => {
  const sources = ['packages/relay/src', 'packages/server/src'].flatMap((folder) =>
    listFiles(repositoryRoot, folder, /(?<!\.test)\.ts$/),
  );
  const codes = new Set(sources.flatMap((file) => codesIn(readFileSync(join(repositoryRoot, file), 'utf8'))));
  const told = [...codes].filter((code) => !types.has(code));
  expect(told.length).toBeGreaterThan(35);
  const page = readFileSync(join(repositoryRoot, 'docs/troubleshooting.md'), 'utf8');
  expect(told.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
