import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsoleIfStale } from './console-build.ts';
import { repositoryRoot } from './repository.ts';

const dist = join(repositoryRoot, 'packages/console/dist');
const entry = 'index.html';
const navigation = 'src/app/navigation.tsx';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** Script that a page's first load may bring, in thousands of bytes after gzip. */
const budgets = [
  { pages: /login-page/, most: 180, hasNavigation: false },
  { pages: /(list-page|log-page)/, most: 260, hasNavigation: true },
] as const;

await buildConsoleIfStale();
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));

/** A chunk and everything it cannot start without. */
function closure(names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    closure(manifest[name]?.imports ?? [], found);
  }
  return found;
}

const sizes = new Map<string, number>();

function sizeOf(file: string): number {
  const known = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;
  sizes.set(file, known);
  return known;
}

let isOver = false;
for (const page of pages) {
  const budget = budgets.find(({ pages: of }) => of.test(page));
  const parts = budget?.hasNavigation === false ? [entry, page] : [entry, navigation, page];
  const files = [...closure(parts)].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js'));
  const size = [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0) / 1000;
  const verdict =
    budget === undefined ? '' : size <= budget.most ? `ok, at most ${budget.most}` : `OVER ${budget.most}`;
  isOver ||= verdict.startsWith('OVER');
  console.log(`${size.toFixed(1).padStart(7)} kB  ${page.replace('src/pages/', '').padEnd(40)} ${verdict}`);
}
process.exitCode = isOver ? 1 : 0;
