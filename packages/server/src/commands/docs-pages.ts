import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface DocsPage {
  /** Page name as typed: `start`, `zh/start`. */
  readonly name: string;
  readonly title: string;
}

/** Pages of the documentation, by name. */
export function docsPages(folder: string): readonly DocsPage[] {
  return ['', 'zh/'].flatMap((language) =>
    readdirSync(join(folder, language))
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .sort()
      .map((file) => ({
        name: `${language}${file.slice(0, -3)}`,
        title: titleOf(readFileSync(join(folder, language, file), 'utf8')) ?? file,
      })),
  );
}

const titleOf = (page: string): string | undefined =>
  page
    .split('\n')
    .find((line) => line.startsWith('# '))
    ?.slice(2);

/** A page for the terminal: Markdown without comments, images and link targets. */
export function readDocsPage(folder: string, name: string): string {
  const lines: string[] = [];
  let isCode = false;
  for (const line of withoutComments(readFileSync(join(folder, `${name}.md`), 'utf8')).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const isDropped = !isCode && (line.startsWith('![') || (line === '' && lines.at(-1) === ''));
    if (!isDropped) lines.push(isCode ? line : withoutTargets(line));
  }
  return lines.join('\n');
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.split('<!--');
  return first + others.map((part) => part.slice(part.indexOf('-->') + '-->'.length)).join('');
}

/** Replaces `[text](target)` by its text, and keeps the addresses of other sites. */
function withoutTargets(line: string): string {
  const [first = '', ...others] = line.split('](');
  return others.reduce((before, part) => {
    const open = before.lastIndexOf('[');
    const close = part.indexOf(')');
    if (open < 0 || close < 0) return `${before}](${part}`;
    const target = part.slice(0, close);
    const shown = target.startsWith('http') ? ` (${target})` : '';
    return before.slice(0, open) + before.slice(open + 1) + shown + part.slice(close + 1);
  }, first);
}

/** List of the pages, and other places to read them. */
export function docsOverview(pages: readonly DocsPage[], where: readonly (readonly [string, string])[]): string {
  const table = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([first]) => first.length));
    return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
  };
  const rows = pages.map(({ name, title }) => [name, title] as const);
  return `${[...table(where), '', 'Pages:', ...table(rows)].join('\n')}\n`;
}
