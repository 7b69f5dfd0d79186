import { Worker } from 'node:worker_threads';
import type { BcryptRequest, BcryptResult } from './bcrypt-thread.ts';

/** Idle time before the thread stops; bcrypt hashes are verified rarely, once per imported user. */
const idleMs = 10_000;

/** A bcrypt hash imported from another gateway, with a cost low enough to verify at login. */
export const isBcryptHash = (hash: string): boolean => /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(hash);

interface Waiting {
  readonly resolve: (matches: boolean) => void;
  readonly reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let thread: Worker | undefined;
let timer: NodeJS.Timeout | undefined;
let questions = 0;

/** Runs in a worker thread: the JavaScript implementation would block the event loop for a tenth of a second. */
export function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  clearTimeout(timer);
  thread ??= startThread();
  questions += 1;
  const question: BcryptRequest = { id: questions, password, hash };
  thread.postMessage(question);
  return new Promise((resolve, reject) => waiting.set(question.id, { resolve, reject }));
}

function startThread(): Worker {
  const bareProcess = { env: {}, execArgv: [], argv: [] };
  const started = new Worker(new URL('./bcrypt-thread.ts', import.meta.url), { ...bareProcess, name: 'bcrypt' });
  started.on('message', ({ id, matches }: BcryptResult) => {
    waiting.get(id)?.resolve(matches);
    waiting.delete(id);
    if (waiting.size === 0) timer = setTimeout(() => void end(started), idleMs).unref();
  });
  const failed = (error: unknown) => {
    if (thread === started) thread = undefined;
    for (const { reject } of waiting.values())
      reject(new Error('The password could not be verified.', { cause: error }));
    waiting.clear();
  };
  started.on('error', failed);
  started.on('exit', (code) => {
    if (thread === started) failed(code);
  });
  started.unref();
  return started;
}

async function end(ended: Worker): Promise<void> {
  if (thread === ended) thread = undefined;
  await ended.terminate();
}
