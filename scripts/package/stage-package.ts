import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { packageCommandPrefix } from '../../packages/server/src/platform/errors/command-line.ts';
import { listCommands } from '../command/command-help.ts';
import { productCommands } from '../command/product-commands.ts';
import { distFolder } from '../console-build.ts';
import { repositoryRoot } from '../repository.ts';
import { bundleServer } from '../server-bundle.ts';
import { siteDistFolder } from '../site-build.ts';
import { packageManifest, rootManifest } from './package-manifest.ts';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const licenceFile = /^(licen[cs]e|copying|notice)/i;

/** Licenses of all packages whose files are included in ours, as one text. */
function licenseNotices(packageFolders: readonly string[]): string {
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
function packageFoldersOf(files: readonly string[]): readonly string[] {
  return [...new Set(files.map((file) => file.split('\0').join('')).flatMap(folderOf))];
}

function folderOf(file: string): string[] {
  const inside = relative(repositoryRoot, file);
  const at = inside.lastIndexOf('node_modules/');
  if (at < 0) return [];
  for (let folder = dirname(inside); folder.length > at; folder = dirname(folder)) {
    const path = join(repositoryRoot, folder);
    // Some packages have another package.json, without a name, next to each kind of files.
    if (existsSync(join(path, 'package.json')) && manifestOf(path).version !== undefined) return [path];
  }
  return [];
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Folders of a package's dependencies, including indirect ones. */
function dependencyFolders(folder: string, more: readonly string[] = []): readonly string[] {
  const found = new Set<string>();
  const walk = (from: string, names: readonly string[]) => {
    for (const name of names) {
      const folder = installedAt(from, name);
      if (folder === undefined || found.has(folder)) continue;
      found.add(folder);
      walk(folder, Object.keys(manifestOf(folder).dependencies ?? {}));
    }
  };
  walk(folder, [...Object.keys(manifestOf(folder).dependencies ?? {}), ...more]);
  return [...found].filter((folder) => folder.includes('node_modules/') && !folder.includes('/@headgate/'));
}

/** Resolves like Node. */
function installedAt(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (folder === repositoryRoot || folder === dirname(folder)) return undefined;
  }
}

/** README of the package, enough to get started. */
const packageReadme = (): string => `# Headgate

Self-hosted AI gateway: one endpoint for many model providers, exact quota accounting, and a console.

\`headgate\` starts it on <http://127.0.0.1:3000> with its data in \`./data\`. Log in as \`root\` with password \`123456\` and
change it. Settings come from the environment or a \`.env\` file in the working directory.

\`headgate docs\` lists the documentation, \`headgate docs settings\` prints a page of it. The running gateway serves it under
\`/docs\`, and the reference of its API under \`/api/docs\`. \`headgate systemd\` prints a unit for systemd.

\`\`\`text
${listCommands(productCommands, packageCommandPrefix).trimEnd()}
\`\`\`

\`LICENSE\` is the license of Headgate, \`NOTICES.md\` lists the licenses of included software.
`;

/** Development dependencies that are nevertheless part of the built console. */
const builtIn = ['@fontsource-variable/inter', '@lobehub/icons-static-svg'];

/** Puts the contents of the package into a folder, from which npm packs it. Console and documentation must be built. */
export async function stagePackage(
  folder: string,
  built = { console: distFolder, site: siteDistFolder },
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  // Node does not strip types of installed files.
  const modules = await bundleServer({
    entry: { headgate: join(repositoryRoot, 'scripts/command/headgate.ts') },
    folder: join(folder, 'server/lib'),
    extension: 'js',
  });
  // The server reads its version next to its folder, as in a checkout.
  writeJson(join(folder, 'server/package.json'), { type: 'module', version: rootManifest().version });
  // Dotfiles are for builds only.
  const isServed = (path: string) => !basename(path).startsWith('.');
  cpSync(built.console, join(folder, 'console/dist'), { recursive: true, filter: isServed });
  cpSync(built.site, join(folder, 'site/dist'), { recursive: true, filter: isServed });
  copyPages(join(folder, 'docs'));
  const launcher = join(folder, 'bin/headgate.mjs');
  copyFileSync(join(repositoryRoot, 'scripts/package/launcher.mjs'), launcher);
  chmodSync(launcher, 0o755);
  copyFileSync(join(repositoryRoot, 'LICENSE'), join(folder, 'LICENSE'));
  const ofConsole = dependencyFolders(join(repositoryRoot, 'packages/console'), builtIn);
  writeFileSync(join(folder, 'NOTICES.md'), licenseNotices([...packageFoldersOf(modules), ...ofConsole]));
  writeFileSync(join(folder, 'README.md'), packageReadme());
  writeJson(join(folder, 'package.json'), packageManifest());
}

/** Pages of the documentation as Markdown, for `headgate docs`. */
function copyPages(folder: string): void {
  for (const language of ['', 'zh']) {
    mkdirSync(join(folder, language), { recursive: true });
    const pages = readdirSync(join(repositoryRoot, 'docs', language)).filter((name) => name.endsWith('.md'));
    for (const page of pages) copyFileSync(join(repositoryRoot, 'docs', language, page), join(folder, language, page));
  }
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
