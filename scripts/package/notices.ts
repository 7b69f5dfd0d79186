import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../repository.ts';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** Licenses of all packages whose files are included in ours, as one text. */
export function licenseNotices(packageFolders: readonly string[]): string {
  const notices = [...new Set(packageFolders)].sort().map((folder) => {
    const { name = '', version = '', license = '' } = manifestOf(folder);
    const texts = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && licenceFile.test(entry.name))
      .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
    return [`## ${name} ${version}`, '', license, ...texts.flatMap((text) => ['', text])].join('\n');
  });
  return `# Third-party notices\n\nThis package contains parts of the following packages.\n\n${notices.join('\n\n')}\n`;
}

/** Folders of the packages that files belong to, without our own. */
export function packageFoldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => file.split('\0').join('')).flatMap(folderOf))];
}

function folderOf(file: string): string[] {
  const inside = relative(repositoryRoot, file);
  const at = inside.lastIndexOf('node_modules/');
  if (at < 0) return [];
  for (let folder = dirname(inside); folder.length > at; folder = dirname(folder)) {
    const place = join(repositoryRoot, folder);
    // Some packages have another package.json, without a name, next to each kind of files.
    if (existsSync(join(place, 'package.json')) && manifestOf(place).version !== undefined) return [place];
  }
  return [];
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Folders of a package's dependencies, including indirect ones. */
export function dependencyFolders(folder: string, more: readonly string[] = []): readonly string[] {
  const found = new Set<string>();
  const walk = (from: string, names: readonly string[]) => {
    for (const name of names) {
      const place = installedAt(from, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      walk(place, Object.keys(manifestOf(place).dependencies ?? {}));
    }
  };
  walk(folder, [...Object.keys(manifestOf(folder).dependencies ?? {}), ...more]);
  return [...found].filter((place) => place.includes('node_modules/') && !place.includes('/@headgate/'));
}

/** Resolves like Node. */
function installedAt(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return place;
    if (folder === repositoryRoot || folder === dirname(folder)) return undefined;
  }
}
