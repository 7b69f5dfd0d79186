import { spawn } from 'node:child_process';

interface ProgramOptions {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

const readyLine = /is ready at (https?:\/\/\S+:\d+)/;

/** Starts one of our programs in a child process and waits for the line with its address. */
export async function startProgram(parameters: readonly string[], { folder, environment }: ProgramOptions) {
  const server = spawn(process.execPath, parameters, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  let written = '';
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (text: string) => {
      written += text;
      const address = readyLine.exec(written)?.[1];
      if (address !== undefined) resolve(address);
    };
    server.stdout.setEncoding('utf8').on('data', listen);
    server.stderr.setEncoding('utf8').on('data', listen);
    server.once('error', reject);
    void ended.then(() => reject(new Error(`The program ended before it was ready:\n${written}`)));
  });
  const end = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { url, end };
}
