import { existsSync, readdirSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { listFiles } from '../source-files.ts';
import { findFolderCycles } from './folder-cycles.ts';
import { findCycles } from './import-cycles.ts';
import { importRules, isForbidden, type Link } from './import-rules.ts';
import { type ParsedFile, parseFile } from './parsed-file.ts';
import { syntaxRules } from './syntax-rules.ts';

const ownScope = '@headgate/';
const endings = ['', '.ts', '.tsx', '/index.ts'];

/**
 * Target of an import: a repository path for our own files, `node:…` for Node's modules, the specifier for other
 * packages, undefined for a missing file of ours.
 */
function resolveImport(root: string, from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return resolveRelative(root, from, specifier);
  if (specifier.startsWith(ownScope)) return resolvePackage(root, specifier.slice(ownScope.length));
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  return specifier;
}

function resolveRelative(root: string, from: string, specifier: string): string | undefined {
  // Vite imports may end with a query: './logo.svg?url'.
  const path = posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''));
  return endings.map((ending) => path + ending).find((candidate) => isFile(join(root, candidate)));
}

function resolvePackage(root: string, nameAndPath: string): string | undefined {
  const [name = '', ...rest] = nameAndPath.split('/');
  if (!isFile(join(root, 'packages', name, 'package.json'))) return undefined;
  return rest.length === 0 ? `packages/${name}/src/index.ts` : `packages/${name}/${rest.join('/')}`;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

interface HouseReport {
  /** Number of files read, to detect a run that read nothing. */
  readonly fileCount: number;
  readonly violations: readonly Violation[];
}

const sources = /\.(ts|tsx|mjs)$/;
const cycleRule = 'no-cycles';
const folderCycleRule = 'no-cycles-of-folders';
const unresolvedRule = 'imports-lead-somewhere';

/** Names of all rules, for the test that proves each of them. */
export const ruleNames: ReadonlySet<string> = new Set([
  ...importRules.map((rule) => rule.name),
  ...syntaxRules.map((rule) => rule.name),
  cycleRule,
  folderCycleRule,
  unresolvedRule,
]);

/** Checks every source file of the repository at `root` against the house rules. */
export function checkHouseRules(root: string): HouseReport {
  const files = sourcePaths(root).map((path) => parseFile(root, path));
  const { links, unresolved } = follow(root, files);
  const violations = [...unresolved, ...forbiddenLinks(links), ...cycles(links), ...files.flatMap(forbiddenSyntax)];
  return { fileCount: files.length, violations: violations.sort(byPlace) };
}

function sourcePaths(root: string): string[] {
  const topFiles = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    ...topFiles.map((entry) => entry.name).filter((name) => sources.test(name)),
    ...['packages', 'scripts'].flatMap((folder) => listFiles(root, folder, sources)),
  ];
}

function follow(root: string, files: readonly ParsedFile[]): { links: Link[]; unresolved: Violation[] } {
  const links: Link[] = [];
  const unresolved: Violation[] = [];
  for (const { path, imports } of files) {
    for (const found of imports) {
      const to = resolveImport(root, path, found.specifier);
      if (to !== undefined) links.push({ ...found, from: path, to });
      else {
        const message = `Imports must name an existing file or package, not "${found.specifier}".`;
        unresolved.push({ file: path, line: found.line, rule: unresolvedRule, message });
      }
    }
  }
  return { links, unresolved };
}

function forbiddenLinks(links: readonly Link[]): Violation[] {
  return links.flatMap((link) =>
    importRules
      .filter((rule) => isForbidden(rule, link))
      .map(({ name, message }) => ({
        file: link.from,
        line: link.line,
        rule: name,
        message: `${message} (${link.specifier})`,
      })),
  );
}

function cycles(links: readonly Link[]): Violation[] {
  return [
    ...findCycles(links).map((cycle) => {
      const message = 'Files must not import each other in a cycle.';
      return { ...describeCycle(cycle, message), file: cycle[0]?.from ?? '', rule: cycleRule };
    }),
    ...findFolderCycles(links).map((cycle) => {
      const message = 'Layer folders must not import each other in a cycle.';
      return { ...describeCycle(cycle, message), file: cycle[0]?.file ?? '', rule: folderCycleRule };
    }),
  ];
}

function describeCycle(cycle: readonly Link[], message: string): Pick<Violation, 'line' | 'message'> {
  return { line: cycle[0]?.line ?? 0, message: `${message} (${cycle.map((link) => link.to).join(' → ')})` };
}

function forbiddenSyntax(file: ParsedFile): Violation[] {
  return syntaxRules
    .filter(({ looksAt, mentions }) => looksAt(file.path) && (mentions?.test(file.text) ?? true))
    .flatMap(({ name, message, find }) =>
      find(file).map((offset) => ({ file: file.path, line: file.lineAt(offset), rule: name, message })),
    );
}

function byPlace(one: Violation, other: Violation): number {
  return one.file.localeCompare(other.file) || one.line - other.line || one.rule.localeCompare(other.rule);
}
