import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** Sent to the worker thread. */
export interface BcryptRequest {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** Sent back once per request. */
export interface BcryptResult {
  readonly id: number;
  readonly matches: boolean;
}

parentPort?.on('message', ({ id, password, hash }: BcryptRequest) => {
  parentPort?.postMessage({ id, matches: compareSync(password, hash) } satisfies BcryptResult);
});
