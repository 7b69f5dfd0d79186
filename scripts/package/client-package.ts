import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { repositoryRoot } from '../repository.ts';
import { runCaptured } from '../tool.ts';
import { runNpm } from './make-package.ts';
import { rootManifest } from './package-manifest.ts';

const packagesFolder = join(repositoryRoot, 'packages');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The contract's only dependency. */
const dependencies = (JSON.parse(readFileSync(join(packagesFolder, 'contract/package.json'), 'utf8')) as Manifest)
  .dependencies;

/** Packs the client with the contract inside, as JavaScript with types; returns the path of the package. */
export async function makeClientPackage(packedFolder: string): Promise<string> {
  const folder = join(packedFolder, 'client');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await bundle(folder);
  for (const name of ['contract', 'client']) await writeTypes(name, folder);
  copyFileSync(join(repositoryRoot, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'README.md'), readme);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  await runNpm(['pack', '--silent', '--pack-destination', packedFolder], folder);
  return join(packedFolder, `headgate-client-${rootManifest().version}.tgz`);
}

async function bundle(folder: string): Promise<void> {
  await using built = await rolldown({
    input: join(packagesFolder, 'client/src/index.ts'),
    platform: 'neutral',
    external: /^zod(\/|$)/,
  });
  await built.write({ file: join(folder, 'index.js'), format: 'esm', minify: false });
}

/** Type declarations of one of our packages, in a separate folder. */
async function writeTypes(name: string, folder: string): Promise<void> {
  const types = join(folder, 'types', name);
  // `npm run check` checks the types, which would take most of the time.
  const emit = ['--noEmit', 'false', '--noCheck', '--declaration', '--emitDeclarationOnly'];
  emit.push('--rootDir', `packages/${name}/src`);
  const { exitCode, output } = await runCaptured('tsc', ['-p', `packages/${name}`, ...emit, '--outDir', types]);
  if (exitCode !== 0) throw new Error(output);
  const files = readdirSync(types, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (file.name.endsWith('.test.d.ts')) rmSync(path);
    else writeFileSync(path, resolvable(readFileSync(path, 'utf8')));
  }
}

/** Rewrites imports for compilers outside of this repository. */
const resolvable = (text: string): string =>
  text
    .replace(/(['"])@headgate\/contract\1/g, "'../contract/index.js'")
    .replace(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, "'$2.js'");

const manifest = () => {
  const { version, license } = rootManifest();
  return {
    name: '@headgate/client',
    version,
    description: 'A typed client for the API of Headgate, a gateway for many AI model providers.',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './types/client/index.d.ts', default: './index.js' } },
    engines: { node: '>=20' },
    dependencies,
  };
};

const readme = `# @headgate/client

Typed client of the Headgate management API, for Node 20 and later, and for browsers on the gateway's own origin.

\`\`\`ts
import { api, createClient } from '@headgate/client';

const headgate = createClient({ url: 'https://gateway.example', accessToken: 'hg_…' });
const { data, etag } = await headgate.read(api.channel.get, { params: { id: 7 } });
await headgate.call(api.channel.update, { body: { id: 7, priority: 5 } }, { ifMatch: etag });
\`\`\`
`;
