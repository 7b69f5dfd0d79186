import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { describeSize, measureConsole } from './console-size.ts';
import { withPlantedTree } from './planted-tree.ts';

/** Incompressible text, so that its gzip size is known. */
const noise = (kilobytes: number) =>
  randomBytes(kilobytes * 1000)
    .toString('latin1')
    .replaceAll('\0', ' ');

interface Built {
  readonly list?: number;
  readonly parts?: number;
  readonly navigation?: boolean;
}

function measured({ list = 1, parts = 0, navigation = true }: Built) {
  const shared = Array.from({ length: parts }, (_, part) => `_part-${part}.js`);
  const manifest = {
    'src/i18n/zh.ts': { file: 'zh.js' },
    ...(navigation && { 'src/app/navigation.tsx': { file: 'navigation.js', imports: ['_app.js'] } }),
    '_app.js': { file: 'app.js' },
    ...Object.fromEntries(shared.map((name) => [name, { file: name.slice(1) }])),
    'src/pages/login/login-page.tsx': { file: 'login.js', imports: ['_app.js'] },
    'src/pages/token/token-list-page.tsx': { file: 'list.js', imports: ['_app.js', ...shared] },
    'src/pages/about/about-page.tsx': { file: 'about.js' },
    'src/pages/prices/prices-page.tsx': { file: 'list.js' },
  };
  const files = ['zh.js', 'navigation.js', 'app.js', 'login.js', 'about.js', ...shared.map((name) => name.slice(1))];
  return withPlantedTree(
    {
      '.vite/manifest.json': JSON.stringify(manifest),
      'index.html': '<script src="/app.js"></script>',
      ...Object.fromEntries(files.map((file) => [file, ' '])),
      'list.js': noise(list),
    },
    (root) => measureConsole(root),
  );
}

describe('console size', () => {
  test('the size of a page includes the entry, the translations, the navigation if shown, and the page with its imports', () => {
    const [login, list, about] = measured({ parts: 2 });
    expect([login?.files, list?.files, about?.files]).toEqual([3, 6, 4]);
    expect(about).toMatchObject({ budget: undefined, isOver: false });
  });

  test('a page that exceeds its bytes or number of files is reported', () => {
    expect(measured({ list: 100 }).map(({ isOver }) => isOver)).toEqual([false, false, false, false]);
    const [, heavy, , prices] = measured({ list: 300 });
    expect([heavy?.isOver, prices?.isOver]).toEqual([true, true]);
    expect(heavy && describeSize(heavy)).toMatch(/OVER 270 kB in 16 files$/);
    expect(measured({ parts: 13 })[1]?.isOver).toBe(true);
  });

  test('a build with a missing part fails instead of reporting a smaller size', () => {
    expect(() => measured({ navigation: false })).toThrow('no src/app/navigation.tsx');
  });
});
