import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const folder = import.meta.dirname;

export interface BenchChild {
  readonly port: number;
  readonly pid: number;
  stop(): void;
}

/** Starts a script in this folder and waits for the port that it sends when it listens. */
export async function startChild(script: string, ...given: readonly string[]): Promise<BenchChild> {
  const child: ChildProcess = fork(join(folder, script), given, { stdio: 'inherit' });
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') };
}
