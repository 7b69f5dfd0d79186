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

const linksIn = (line: string, folder: string): SidebarGroup['items'] =>
  [...line.matchAll(/\[([^\]]+)\]\((?!\.\.|https?:)([^)#]+)\.md\)/g)]
    .map(([, text = '', page = '']) => ({ text, page }))
    .filter(({ page }) => !excludedFolders.includes(page.split('/')[0] ?? ''))
    .map(({ text, page }) => ({ text, link: `${folder}${page.replace(/(^|\/)README$/, '$1')}` }));
