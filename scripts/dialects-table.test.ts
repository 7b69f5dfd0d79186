import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dialectsPage } from './dialects-table.ts';
import { repositoryRoot } from './repository.ts';

test('docs/dialects.md matches the dialects and providers; run `npm run dialects-doc` otherwise', () => {
  expect(readFileSync(join(repositoryRoot, 'docs/dialects.md'), 'utf8')).toBe(dialectsPage());
});
