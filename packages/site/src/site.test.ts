import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docsFolder, readSidebar } from './sidebar.ts';
import { adaptLinks } from './site-links.ts';

const pagesIn = (folder: string): string[] =>
  readdirSync(join(docsFolder, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => `/${folder}${file.slice(0, -3)}`);

test.each([
  ['README.md', ''],
  ['zh/README.md', 'zh/'],
])('%s lists every page of its folder, so that the sidebar does', (index, folder) => {
  const listed = readSidebar(index).flatMap(({ items }) => items.map(({ link }) => link));
  expect(pagesIn(folder).filter((page) => !listed.includes(page))).toEqual([]);
});

test('the decision index lists every decision', () => {
  const listed = readSidebar('decisions/README.md').flatMap(({ items }) => items.map(({ link }) => link));
  expect(listed).toEqual(pagesIn('decisions/'));
});

/** Applies the rule to one link and returns its new target, or undefined where only its text is left. */
function adapted(href: string, page: string): string | undefined {
  const link = {
    type: 'link_open',
    children: null,
    attrGet: () => link.href,
    attrSet: (_: string, value: string) => {
      link.href = value;
    },
    href,
  };
  const close = { ...link, type: 'link_close' };
  const tokens = [link, close];
  adaptLinks({
    core: {
      ruler: { push: (_, rule) => rule({ tokens: [{ ...link, children: tokens }], env: { relativePath: page } }) },
    },
  });
  return tokens.includes(link) ? link.href : undefined;
}

test.each([
  ['install.md', 'start.md', 'install.md'],
  ['zh/README.md', 'README.md', 'zh/index.md'],
  ['../README.md#run', 'zh/README.md', '../index.md#run'],
  ['https://example.com/README.md', 'start.md', 'https://example.com/README.md'],
  ['#top', 'start.md', '#top'],
  ['../CHANGELOG.md', 'operations.md', undefined],
  ['../../deploy/compose/Caddyfile', 'zh/install.md', undefined],
  ['security/attacks.md', 'README.md', undefined],
])('a link to %s on %s becomes %s', (href, page, expected) => {
  expect(adapted(href, page)).toBe(expected);
});
