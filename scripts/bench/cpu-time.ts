import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time of processes so far, in milliseconds. Unlike latency, it is not affected by other load on the machine. 0
 * where the system does not report it.
 */
export function cpuTimeMs(pids: readonly number[]): number {
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
