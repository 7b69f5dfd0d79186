import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const skippedFolders = new Set(['node_modules', 'dist', 'coverage', 'test-results']);

/** Every file below `folder` whose name matches, as sorted paths relative to `root` with forward slashes. */
export function listFiles(root: string, folder: string, fits: RegExp): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !entry.name.startsWith('.')) found.push(...listFiles(root, path, fits));
    } else if (fits.test(entry.name)) {
      found.push(path);
    }
  }
  return found.sort();
}
