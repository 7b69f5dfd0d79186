import { isTest } from './file-kinds.ts';
import { findCycles } from './import-cycles.ts';
import type { Link } from './import-rules.ts';

/** Folders whose subfolders are layers: a layer must not be imported, even indirectly, by what it imports. */
const layered = [
  'packages/relay/src/',
  'packages/importer/src/',
  'packages/server/src/',
  ...['platform', 'records', 'accounts', 'catalog', 'observability', 'relay', 'settings', 'commands'].map(
    (area) => `packages/server/src/${area}/`,
  ),
  'packages/console/src/pages/setting/',
];

/** A link between folders, and the file that contains it. */
interface FolderLink extends Link {
  readonly file: string;
}

/** Cycles of folders that import each other, as the links between them. */
export function findFolderCycles(links: readonly Link[]): FolderLink[][] {
  return layered.flatMap((parent) => findCycles(links.flatMap((link) => folderLinks(link, parent))));
}

function folderLinks(link: Link, parent: string): FolderLink[] {
  if (isTest(link.from) || !link.from.startsWith(parent) || !link.to.startsWith(parent)) return [];
  const from = folderOf(link.from, parent);
  const to = folderOf(link.to, parent);
  // Two files outside of any folder are compared as files.
  const areFiles = from === link.from && to === link.to;
  return from === to || areFiles ? [] : [{ ...link, file: link.from, from, to }];
}

/** A file outside of any folder counts as its own folder. */
const folderOf = (path: string, parent: string): string => `${parent}${path.slice(parent.length).split('/')[0]}`;
