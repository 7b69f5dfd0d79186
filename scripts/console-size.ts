import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

interface Budget {
  readonly pages: RegExp;
  /** Kilobytes of script after gzip. */
  readonly kilobytes: number;
  readonly files: number;
}

export interface PageSize {
  readonly page: string;
  readonly kilobytes: number;
  readonly files: number;
  /** Absent: this page has no budget. */
  readonly budget: Budget | undefined;
  readonly isOver: boolean;
}

/** Budgets for the first load of a page. */
const budgets: readonly Budget[] = [
  { pages: /\/login-page/, kilobytes: 180, files: 10 },
  { pages: /-list-page/, kilobytes: 270, files: 16 },
  { pages: /\/prices-page/, kilobytes: 270, files: 17 },
];

/** Loaded by every page; Chinese, because it is the larger of the two languages. */
const always = ['src/i18n/zh.ts'];
const navigation = 'src/app/navigation.tsx';
/** Pages without the navigation. */
const barePages = /\/(login|register|oauth|reset-\w+)-page/;

/** Script size of each page of a built console when it is opened first. */
export function measureConsole(dist: string): PageSize[] {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const entryFiles = [...html.matchAll(/<script[^>]* src="\/([^"]+)"/g)].map(([, file = '']) => file);
  const sizes = new Map<string, number>();
  const sizeOf = (file: string) => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;
    sizes.set(file, size);
    return size;
  };
  const pages = Object.keys(manifest).filter((name) => /^src\/pages\/.*-page\.tsx$/.test(name));
  return pages.map((page) => {
    const parts = [...always, ...(barePages.test(page) ? [] : [navigation]), page];
    const files = [...new Set([...entryFiles, ...filesOf(manifest, parts)])].filter((file) => file.endsWith('.js'));
    return pageSize(page, files.map(sizeOf));
  });
}

function pageSize(page: string, sizes: readonly number[]): PageSize {
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0);
  const files = sizes.length;
  const budget = budgets.find(({ pages }) => pages.test(page));
  const isOver = budget !== undefined && (kilobytes > budget.kilobytes || files > budget.files);
  return { page, kilobytes, files, budget, isOver };
}

/** Files of some chunks and their static imports. */
function filesOf(manifest: Manifest, names: readonly string[], found = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`The built console has no ${name}.`);
    if (found.has(chunk.file)) continue;
    found.add(chunk.file);
    filesOf(manifest, chunk.imports ?? [], found);
  }
  return found;
}

/** Describes a page's size in one line. */
export function describeSize({ page, kilobytes, files, budget, isOver }: PageSize): string {
  const found = `${kilobytes.toFixed(1).padStart(7)} kB in ${String(files).padStart(2)} files`;
  const verdict = budget && `${isOver ? 'OVER' : 'at most'} ${budget.kilobytes} kB in ${budget.files} files`;
  return `${found}  ${page.replace('src/pages/', '').padEnd(36)} ${verdict ?? ''}`.trimEnd();
}
