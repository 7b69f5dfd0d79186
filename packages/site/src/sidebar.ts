import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { excludedFolders } from './site-links.ts';

interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

export const docsFolder = join(import.meta.dirname, '../../../docs');

/** Groups and links of an index page: headings (`## Run` or `| Run | |`), then lists or tables of links to pages. */
export function readSidebar(indexPage: string): SidebarGroup[] {
  const folder = indexPage.includes('/') ? `/${indexPage.slice(0, indexPage.lastIndexOf('/'))}/` : '/';
  const groups: SidebarGroup[] = [];
  for (const line of readFileSync(join(docsFolder, indexPage), 'utf8').split('\n')) {
    const heading = /^##? (.+)$|^\| ([^|[]+) \| \|$/.exec(line.trim());
    if (heading) groups.push({ text: heading[1] ?? heading[2] ?? '', items: [] });
    if (/^\s*[-*|]/.test(line)) groups.at(-1)?.items.push(...linksIn(line, folder));
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** Links of the form `[text](page.md)` to pages of the site. */
const linksIn = (line: string, folder: string): SidebarGroup['items'] =>
  line
    .split('](')
    .slice(0, -1)
    .map((before, index) => ({
      text: before.slice(before.lastIndexOf('[') + 1),
      target: line.split('](')[index + 1]?.split(')', 1)[0] ?? '',
    }))
    .filter(({ target }) => target.endsWith('.md') && !/^(\.\.|https?:)/.test(target))
    .filter(({ target }) => !excludedFolders.includes(target.split('/')[0] ?? ''))
    .map(({ text, target }) => ({ text, link: `${folder}${target.slice(0, -3).replace(/(^|\/)README$/, '$1')}` }));
