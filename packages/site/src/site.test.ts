import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PageData, TransformPageContext } from 'vitepress';
import { expect, test } from 'vitest';
import { docsFolder, readSidebar } from './sidebar.ts';
import { adaptLinks } from './site-links.ts';
import { isTranslated, translationPath } from './translations.ts';

const pagesIn = (folder: string): string[] =>
  readdirSync(join(docsFolder, folder))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => `/${folder}${file.slice(0, -3)}`);

test.each([
  ['README.md', ''],
  ['zh/README.md', 'zh/'],
])('%s lists every page of its folder', (index, folder) => {
  const listed = readSidebar(index).flatMap(({ items }) => items.map(({ link }) => link));
  expect(pagesIn(folder).filter((page) => !listed.includes(page))).toEqual([]);
});

test('the decision index lists every decision', () => {
  const listed = readSidebar('decisions/README.md').flatMap(({ items }) => items.map(({ link }) => link));
  expect(listed).toEqual(pagesIn('decisions/'));
});

test.each([
  ['start.md', 'zh/start.md', true],
  ['zh/start.md', 'start.md', true],
  ['README.md', 'zh/README.md', true],
  ['alerts.md', 'zh/alerts.md', false],
  ['decisions/README.md', 'zh/decisions/README.md', false],
])('the language menu of %s links to %s: %s', (page, translation, isShown) => {
  expect([translationPath(page), isTranslated(page)]).toEqual([translation, isShown]);
});

test('pages without a translation hide the language menu', async () => {
  const { default: config } = await import('../.vitepress/config.ts');
  const classOf = async (filePath: string) => {
    const page = { filePath, frontmatter: { title: 'Page' } } as unknown as PageData;
    const changed = await config.transformPageData?.(page, {} as TransformPageContext);
    return changed?.frontmatter;
  };
  expect(await classOf('start.md')).toBeUndefined();
  expect(await classOf('alerts.md')).toEqual({ title: 'Page', pageClass: 'untranslated' });
  expect(JSON.stringify(config.head)).toContain('.untranslated .VPNavTranslations { display: none');
});

/** Adapts one link and returns its new target, or undefined if only its text remains. */
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
