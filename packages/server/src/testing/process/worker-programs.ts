import { readFileSync } from 'node:fs';
import type { TestDatabase } from '../database/test-database.ts';
import { type Program, startServer } from './program.ts';

/** A server with two workers, unless `environment` overrides the number. */
export const startWorkers = (stored: TestDatabase, environment: Readonly<Record<string, string>> = {}): Program =>
  startServer(
    { ...stored.environment, WORKERS: '2', LOG_LEVEL: 'warn', SHUTDOWN_DRAIN_SECONDS: '1', ...environment },
    stored.location.dataDir,
  );

export const workersOf = ({ process: { pid } }: Program): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
