import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';

interface Manifest {
  readonly name?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

const read = <T>(path: string) => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as T;
const manifests = ['package.json', ...listFiles(repositoryRoot, 'packages', /^package\.json$/)].map((path) => ({
  path,
  ...read<Manifest>(path),
}));

test('[A34.1] every dependency has one exact version', () => {
  expect(manifests.length).toBeGreaterThan(5);
  for (const { path, ...manifest } of manifests) {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
    const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides });
    for (const [name, version] of named) {
      // An npm alias includes the package name.
      expect(version, `${name} in ${path}`).toMatch(/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  }
});

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean }>
  >;
}

test('[A34.1] the lock file has no download URLs, and a checksum for every download', () => {
  const entries = Object.entries(read<Lock>('package-lock.json').packages);
  expect(entries.length).toBeGreaterThan(100);
  for (const [path, { resolved, integrity, link }] of entries) {
    if (!path.includes('node_modules/') || link) continue;
    expect(resolved, path).toBeUndefined();
    expect(integrity, path).toMatch(/^sha512-/);
  }
});

test('[A34.1] no dependency runs a script on install', () => {
  expect(readFileSync(join(repositoryRoot, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  const whenInstalled = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
  for (const { path, scripts = {} } of manifests) {
    expect(
      whenInstalled.filter((name) => name in scripts),
      path,
    ).toEqual([]);
  }
});
