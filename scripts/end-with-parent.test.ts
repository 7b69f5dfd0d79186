import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from './repository.ts';

const child = `
  import { endWithParent } from ${JSON.stringify(join(repositoryRoot, 'scripts/end-with-parent.ts'))};
  process.on('SIGTERM', () => { console.log('ended in order'); process.exit(0); });
  endWithParent();
  setInterval(() => undefined, 1000);
  console.log('ready');
`;
const parent = `
  import { spawn } from 'node:child_process';
  const parameters = ['--input-type=module', '--eval', ${JSON.stringify(child)}];
  spawn(process.execPath, parameters, { stdio: 'inherit' });
  setInterval(() => undefined, 1000);
`;

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a server shuts down cleanly when its parent npm is killed (%s)',
  async (signal) => {
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', parent], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    starter.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await expect.poll(() => output).toBe('ready\n');
    starter.kill(signal);
    // The server shares the pipe, which closes when both processes have ended.
    await once(starter, 'close');
    expect(output).toBe('ready\nended in order\n');
  },
);
