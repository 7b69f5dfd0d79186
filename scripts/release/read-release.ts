import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';
import { listFiles } from '../source-files.ts';
import type { LockedPackages, Manifest } from './release-checks.ts';

interface ManifestFile {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8')) as T;

/** Version of the root package, and everything that must match it. */
export function readRelease(): {
  readonly version: string;
  readonly manifests: readonly Manifest[];
  readonly locked: LockedPackages;
} {
  const paths = ['package.json', ...listFiles(repositoryRoot, 'packages', /^package\.json$/)];
  const manifests = paths.map((path) => {
    const { version, dependencies, devDependencies } = readJson<ManifestFile>(path);
    return { path, version, dependencies: { ...dependencies, ...devDependencies } };
  });
  const { packages: locked } = readJson<{ readonly packages: LockedPackages }>('package-lock.json');
  return { version: manifests[0]?.version ?? '', manifests, locked };
}
