import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { providersPage } from './providers-table.ts';
import { repositoryRoot } from './repository.ts';

test('docs/providers.md matches the providers; run `npm run providers-doc` otherwise', () => {
  expect(readFileSync(join(repositoryRoot, 'docs/providers.md'), 'utf8')).toBe(providersPage());
});
