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
    if (!/^\s*[-*|]/.test(line)) continue;
    for (const [, text = '', page = ''] of line.matchAll(/\[([^\]]+)\]\((?!\.\.|https?:)([^)#]+)\.md\)/g)) {
      if (excludedFolders.includes(page.split('/')[0] ?? '')) continue;
      groups.at(-1)?.items.push({ text, link: `${folder}${page.replace(/(^|\/)README$/, '$1')}` });
    }
  }
  return groups.filter(({ items }) => items.length > 0);
}
