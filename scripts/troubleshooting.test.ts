import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiErrorCodes } from '../packages/server/src/platform/errors/api-error.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** Constructors of relay errors, and of errors that providers report instead of an upstream, with their arguments. */
const failure =
  /\b(?:RelayError|UpstreamProblem|unauthorised|forbidden|badRequest|refused)\(((?:[^()]|\([^()]*\))*)\)/g;

/** Codes in constants and tables: `tooLongCode = '…'`, `code: '…'`. */
const named = /\b(?:\w+Code = |code: )'([a-z]+(?:_[a-z]+)+)'/g;

/** Error types, which state who caused the error instead of the cause. */
const types: ReadonlySet<string> = new Set([
  'headgate_error',
  'invalid_request_error',
  'rate_limit_error',
  'upstream_error',
]);

const codesIn = (text: string): readonly string[] => [
  ...[...text.matchAll(failure)].flatMap(([, given = '']) =>
    [...given.replace(/\([^()]*\)/g, '').matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].map(([, code = '']) => code),
  ),
  ...[...text.matchAll(named)].map(([, code = '']) => code),
];

const folders = ['packages/relay/src', 'packages/server/src', 'packages/providers/src', 'packages/dialects/src'];

const page = readFileSync(join(repositoryRoot, 'docs/troubleshooting.md'), 'utf8');
const missing = (codes: Iterable<string>): readonly string[] =>
  [...codes].filter((code) => !page.includes(`\`${code}\``));

test('docs/troubleshooting.md lists every error code of the relay', () => {
  const sources = folders
    .flatMap((folder) => listFiles(repositoryRoot, folder, /(?<!\.test)\.ts$/))
    .filter((file) => !file.includes('/testing/'));
  const codes = new Set(sources.flatMap((file) => codesIn(readFileSync(join(repositoryRoot, file), 'utf8'))));
  const listed = [...codes].filter((code) => !types.has(code));
  expect(listed.length).toBeGreaterThan(38);
  expect(missing(listed)).toEqual([]);
});

test('docs/troubleshooting.md lists every error code of the API', () => {
  expect(missing(apiErrorCodes)).toEqual([]);
});
