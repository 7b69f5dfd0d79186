import { existsSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';

const ownScope = '@headgate/';
const endings = ['', '.ts', '.tsx', '/index.ts'];

/**
 * Target of an import: a repository path for our own files, `node:…` for Node's modules, the specifier for other
 * packages, undefined for a missing file of ours.
 */
export function resolveImport(root: string, from: string, specifier: string): string | undefined {
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
