import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface DocsPage {
  /** As typed: `start`, `zh/start`. */
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
        title: /^# (.+)$/m.exec(readFileSync(join(folder, language, file), 'utf8'))?.[1] ?? file,
      })),
  );
}

/** A page for the terminal: Markdown without comments, images and link targets. */
export function readDocsPage(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.md`), 'utf8')
    .replace(/<!--[\s\S]*?-->\n*/g, '')
    .replace(/^!\[[^\]\n]*\]\([^)\n]*\)\n*/gm, '')
    .replace(/(?<!!)\[([^\]\n]+)\]\((https?:[^)\n]+)\)/g, '$1 ($2)')
    .replace(/(?<!!)\[([^\]\n]+)\]\([^)\n]+\)/g, '$1');
}

/** List of the pages, and where else the documentation is. */
export function docsOverview(pages: readonly DocsPage[], where: readonly (readonly [string, string])[]): string {
  const table = (rows: readonly (readonly [string, string])[]) => {
    const width = Math.max(...rows.map(([first]) => first.length));
    return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
  };
  const rows = pages.map(({ name, title }) => [name, title] as const);
  return `${[...table(where), '', 'Pages:', ...table(rows)].join('\n')}\n`;
}
