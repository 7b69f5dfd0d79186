import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

const anchorsIn = (path: string): readonly string[] =>
  [...withoutCode(readFileSync(path, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links of a page to missing files and headings of this repository. */
function brokenLinksOf(path: string): readonly string[] {
  const text = withoutCode(readFileSync(path, 'utf8'));
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  );
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const at = file === '' ? path : join(dirname(path), decodeURIComponent(file));
    if (!existsSync(at)) return true;
    return anchor !== undefined && statSync(at).isFile() && !anchorsIn(at).includes(anchor);
  });
}

test('every link between pages leads to an existing file and heading', () => {
  const pages = listFiles(repositoryRoot, '', /\.md$/);
  expect(pages.length).toBeGreaterThan(50);
  const broken = pages.flatMap((page) =>
    brokenLinksOf(join(repositoryRoot, page)).map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

/** Repository paths in a page's inline code that do not exist. Builds are not in the repository. */
const missingPathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:packages|scripts|docs|deploy)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('/dist') && !existsSync(join(repositoryRoot, path)));

test('every repository path in inline code of a page exists', () => {
  expect(missingPathsIn('`docs/cli.md`, `packages/server/dist` and `scripts/missing.ts`')).toEqual([
    'scripts/missing.ts',
  ]);
  const missing = listFiles(repositoryRoot, '', /\.md$/).flatMap((page) =>
    missingPathsIn(readFileSync(join(repositoryRoot, page), 'utf8')).map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});
