import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeFlags } from '../node-flags.ts';
import { repositoryRoot } from '../repository.ts';
import { listFiles } from '../source-files.ts';
import { stagePackage } from './stage-package.ts';

const dockerfile = readFileSync(join(repositoryRoot, 'deploy/docker/Dockerfile'), 'utf8');
const steps = (word: string) =>
  [...dockerfile.matchAll(new RegExp(`^(?:HEALTHCHECK .*)?${word} (\\[.+\\])$`, 'gm'))].map(
    ([, list = '[]']) => JSON.parse(list) as string[],
  );

const home = mkdtempSync(join(tmpdir(), 'headgate-image-'));
const image = join(home, 'image');

beforeAll(async () => {
  const builtConsole = join(home, 'console');
  mkdirSync(builtConsole);
  for (const file of ['index.html', '404.html']) writeFileSync(join(builtConsole, file), '<!doctype html>');
  await stagePackage(join(home, 'package'), { console: builtConsole, site: builtConsole });
  const script = join(repositoryRoot, 'deploy/docker/make-root.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, join(home, 'package'), image], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs with the image's loader and libraries only; nothing from this system is linked. */
function inImage([program = '', ...words]: readonly string[]): [string, string[]] {
  const libraries = listFiles(image, '', /\.so/).map((file) => join(image, file));
  const loader = libraries.find((file) => basename(file).startsWith('ld-linux')) ?? '';
  const folders = [...new Set(libraries.map((file) => join(file, '..')))].join(':');
  const inside = words.map((word) => (word.startsWith('/') ? join(image, word) : word));
  return [loader, ['--inhibit-cache', '--library-path', folders, join(image, program), ...inside]];
}

describe('Dockerfile', () => {
  test('the Dockerfile uses only scripts of this repository and no download location', () => {
    expect(steps('RUN').map((words) => words.join(' '))).toEqual(['npm ci', 'npm run pack', 'npm run image -- /image']);
    expect(dockerfile).not.toMatch(/^(RUN|CMD|ENTRYPOINT) [^[]/m);
    expect(
      [...dockerfile.matchAll(/^FROM (\S+)/gm)].every(([, name = '']) => !/[./]/.test(name.split(':')[0] ?? '')),
    ).toBe(true);
  });

  test('the Dockerfile runs as a non-root user, with the same Node flags as every other start and the right stop signal', () => {
    expect(steps('ENTRYPOINT')).toEqual([['/usr/bin/node', ...nodeFlags, '/headgate/server/lib/headgate.js']]);
    expect(dockerfile).toMatch(/^USER 10001:10001$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(dockerfile).toMatch(/^VOLUME \["\/data"\]$/m);
  });
});

describe('container image', () => {
  test('the image contains Node, its libraries, Headgate and a data folder, but no shell and nothing world-writable', () => {
    expect(readdirSync(image).toSorted()).toEqual(
      expect.arrayContaining(['data', 'etc', 'headgate', 'tmp', 'usr'].toSorted()),
    );
    expect(readdirSync(join(image, 'usr/bin'))).toEqual(['node']);
    expect(existsSync(join(image, 'bin/sh'))).toBe(false);
    expect(statSync(join(image, 'data')).mode & 0o777).toBe(0o700);
  });

  test('the image serves, reports healthy, and stops on the signal', async () => {
    const health = steps('CMD').find((words) => words[1] === '/headgate/health.mjs') ?? [];
    const [entry = []] = steps('ENTRYPOINT');
    const [program, words] = inImage([...entry, 'start']);
    const data = mkdtempSync(join(home, 'data-'));
    const child = spawn(program, words, {
      cwd: data,
      env: { PORT: '0', DATA_DIR: data, SHUTDOWN_DRAIN_SECONDS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let port = '';
    for await (const line of createInterface({ input: child.stdout })) {
      port = /is ready at http:\S+:(\d+)/.exec(line)?.[1] ?? '';
      if (port !== '') break;
    }
    const isHealthy = () => {
      const [checker, given] = inImage(health);
      return spawnSync(checker, given, { env: { PORT: port } }).status;
    };
    expect(isHealthy()).toBe(0);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(isHealthy()).toBe(1);
  });
});
