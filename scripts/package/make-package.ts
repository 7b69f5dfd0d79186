import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsoleIfStale } from '../console-build.ts';
import { repositoryRoot } from '../repository.ts';
import { buildSiteIfStale } from '../site-build.ts';
import { rootManifest } from './package-manifest.ts';
import { stagePackage } from './stage-package.ts';

/** Ignored by git and by everything that reads sources. */
export const packedFolder = join(repositoryRoot, 'dist');
const stagedFolder = join(packedFolder, 'package');

const tarballName = (): string => `headgate-${rootManifest().version}.tgz`;

/** Builds the contents of the package; tests need no packed one. */
export async function buildPackage(): Promise<void> {
  await buildConsoleIfStale();
  await buildSiteIfStale();
  await stagePackage(stagedFolder);
}

/** Builds the package and packs it; returns its path. */
export async function makePackage(): Promise<string> {
  await buildPackage();
  const tarball = join(packedFolder, tarballName());
  rmSync(tarball, { force: true });
  mkdirSync(packedFolder, { recursive: true });
  await runNpm(['pack', '--silent', '--pack-destination', packedFolder], stagedFolder);
  return tarball;
}

/** Runs npm in a folder and returns its output; rejects with its error output. */
export function runNpm(parameters: readonly string[], folder: string): Promise<string> {
  // Set by npm for its scripts.
  const script = process.env['npm_execpath'];
  const [program, ...first] = script?.endsWith('.js') ? [process.execPath, script] : ['npm'];
  const child = spawn(program, [...first, ...parameters], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(written);
      else reject(new Error(`npm ${parameters[0]} exited with ${code}:\n${written}`));
    });
  });
}
