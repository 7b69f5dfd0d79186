import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** Sent to the worker thread. */
export interface Question {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** Sent back once per request. */
export interface Verdict {
  readonly id: number;
  readonly matches: boolean;
}

parentPort?.on('message', ({ id, password, hash }: Question) => {
  parentPort?.postMessage({ id, matches: compareSync(password, hash) } satisfies Verdict);
});
