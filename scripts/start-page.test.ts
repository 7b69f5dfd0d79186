import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StubUpstream } from '@headgate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from './free-port.ts';
import { rootManifest } from './package/package-manifest.ts';
import { stagePackage } from './package/stage-package.ts';
import { repositoryRoot } from './repository.ts';

/** Commands of the page: lines of its `sh` blocks without comments, with continuation lines joined. */
function commandsOf(page: string): readonly string[] {
  const blocks = [...readFileSync(join(repositoryRoot, 'docs', page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)];
  return blocks.flatMap(([, block = '']) =>
    block
      .replaceAll('\\\n', '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

const home = mkdtempSync(join(tmpdir(), 'headgate-start-'));
const upstream = await StubUpstream.start((response) => {
  const message = { role: 'assistant', content: 'Hello from the stub' };
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message }], usage }));
});
let shell: Shell;

beforeAll(async () => {
  const built = join(home, 'built');
  mkdirSync(built);
  for (const file of ['index.html', '404.html']) writeFileSync(join(built, file), '<!doctype html>');
  await stagePackage(join(home, 'package'), { console: built, site: built });
  mkdirSync(join(home, 'bin'));
  // npm does not fetch the package's own Node: tests have no network.
  symlinkSync(process.execPath, join(home, 'bin/node'));
  mkdirSync(join(home, 'work'));
  // Like npm pack, which compresses for ten seconds.
  execFileSync('tar', ['-cf', join(home, `work/headgate-${rootManifest().version}.tgz`), '-C', home, 'package']);
  shell = new Shell();
});

afterAll(async () => {
  await shell?.end();
  await upstream.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** One shell for all commands, as in a terminal. */
class Shell {
  readonly #child: ChildProcess;
  #output = '';

  constructor() {
    const env = {
      PATH: `${join(home, 'prefix/bin')}:${join(home, 'bin')}:${process.env['PATH']}`,
      HOME: home,
      npm_config_prefix: join(home, 'prefix'),
      npm_config_cache: join(home, 'cache'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
      SHUTDOWN_DRAIN_SECONDS: '0',
    };
    this.#child = spawn('bash', [], { cwd: join(home, 'work'), env, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
  }

  async run(command: string): Promise<{ code: number; output: string }> {
    this.#output = '';
    this.#child.stdin?.write(`${command}\nprintf '\\nended with %s.\\n' $?\n`);
    await this.#until(/^ended with \d+\.$/m);
    const [output = '', code = ''] = this.#output.split(/ended with (\d+)\.\n/);
    return { code: Number(code), output };
  }

  /** Starts a command that keeps running, and waits until it serves. */
  async start(command: string): Promise<void> {
    this.#output = '';
    this.#child.stdin?.write(`${command} &\n`);
    await this.#until(/is ready at http/);
  }

  async #until(expected: RegExp): Promise<void> {
    await expect.poll(() => this.#output, { interval: 20 }).toMatch(expected);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin?.end('kill $(jobs -p); wait\n');
    await ended;
  }
}

test('the commands in docs/start.md lead from the package to a model response', async () => {
  const port = await findFreePort();
  const replaced: readonly (readonly [RegExp | string, string])[] = [
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    [/^provider_url=.*/, `provider_url=${upstream.url}`],
    [/^provider_key=.*/, 'provider_key=sk-provider'],
  ];
  const adapted = (command: string) => replaced.reduce((text, [from, to]) => text.replace(from, to), command);
  const runs = new Map<string, string>();
  for (const command of commandsOf('start.md')) {
    // scripts/demo tests the demo.
    if (command.startsWith('headgate demo')) continue;
    if (command === 'headgate') await shell.start(`PORT=${port} headgate`);
    else {
      const { code, output } = await shell.run(adapted(command));
      expect(code, `${command}\n${output}`).toBe(0);
      if (command.startsWith('curl') && command.includes('/api/')) expect(output, command).toContain('"success":true');
      runs.set(command.split(' -')[0] ?? '', output);
    }
  }
  expect(runs.get('curl $gateway/v1/chat/completions')).toContain('Hello from the stub');
  expect(upstream.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/chat/completions', 'Bearer sk-provider'],
  ]);
});

test('docs/zh/start.md has the same commands', () => {
  expect(commandsOf('zh/start.md')).toEqual(commandsOf('start.md'));
});
