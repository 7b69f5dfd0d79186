import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { docsPagesFolder } from '../config.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import { docsOverview, docsPages, readDocsPage } from './docs-pages.ts';

it('lists the pages of both languages with their titles', () => {
  const pages = docsPages(docsPagesFolder);
  expect(pages).toContainEqual({ name: 'settings', title: 'Settings' });
  expect(pages).toContainEqual({ name: 'zh/start', title: '快速上手' });
  expect(pages.map(({ name }) => name)).not.toContain('README');
});

it('prints a page without comments, images and link targets', () => {
  const folder = makeTemporaryFolder('headgate-docs-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'zh'));
  const lines = [
    '# Page',
    '',
    '<!-- generated',
    'by a script -->',
    '',
    'See [the settings](settings.md#x) and [a site](https://example.com/a).',
    '',
    '![Picture](screens/a.png)',
    '',
    '`a[0]` stays.',
    '```sh',
    '![x](y)',
    '```',
    '',
  ];
  writeFileSync(join(folder, 'page.md'), lines.join('\n'));
  expect(readDocsPage(folder, 'page')).toBe(
    '# Page\n\nSee the settings and a site (https://example.com/a).\n\n`a[0]` stays.\n```sh\n![x](y)\n```\n',
  );
  expect(docsOverview(docsPages(folder), [['As files', '/docs']])).toBe('  As files  /docs\n\nPages:\n  page  Page\n');
});
