import { readdirSync, readFileSync } from 'node:fs';

/**
 * How long processes have had a processor until now, in milliseconds. On a machine that others use too this tells what a call
 * takes, where the time until its answer tells as much about the others. 0 where the system does not say.
 */
export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofProcess(pid), 0);
}

function ofProcess(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + ofThread(`/proc/${pid}/task/${thread}/schedstat`), 0);
  } catch {
    return 0;
  }
}

function ofThread(file: string): number {
  const [nanoseconds] = readFileSync(file, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}
