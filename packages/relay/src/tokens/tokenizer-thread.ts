import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { splitPosition } from './text-tally.ts';
import type { Encoding } from './token-sum.ts';

/** Messages to the thread: texts to count, or the id of a canceled job. */
export type TokenizerMessage =
  | { readonly id: number; readonly encoding: Encoding; readonly texts: readonly string[] }
  | { readonly dropped: number };

/** Reply, sent once per job that was not canceled. */
export interface TokenizerReply {
  readonly id: number;
  readonly tokens: number;
}

interface Job {
  readonly id: number;
  readonly encoding: Encoding;
  readonly texts: readonly string[];
  text: number;
  at: number;
  tokens: number;
}

/**
 * Maximum length of text counted in one step. Long runs of letters are the worst case: their time grows with the square
 * of their length.
 */
const maxSliceLength = 1000;
const charactersPerTurn = 8000;
/** Number of cached words. The cache is small because it contains parts of users' text. */
const maxCachedWords = 5000;

let jobs: Job[] = [];
let isWorking = false;

parentPort?.on('message', (order: TokenizerMessage) => {
  if ('dropped' in order) {
    jobs = jobs.filter(({ id }) => id !== order.dropped);
    return;
  }
  jobs.push({ ...order, text: 0, at: 0, tokens: 0 });
  if (!isWorking) void work();
});

/** Jobs are scheduled round-robin, so that a long job does not block the others. */
async function work(): Promise<void> {
  isWorking = true;
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const count = await counterOf(job.encoding);
    if (advance(job, count)) parentPort?.postMessage({ id: job.id, tokens: job.tokens } satisfies TokenizerReply);
    else jobs.push(job);
    await turn();
  }
  isWorking = false;
}

/** True if the job is done. */
function advance(job: Job, count: (text: string) => number): boolean {
  let left = charactersPerTurn;
  for (; job.text < job.texts.length; job.text += 1, job.at = 0) {
    const text = job.texts[job.text] ?? '';
    while (job.at < text.length) {
      if (left <= 0) return false;
      const end = splitPosition(text, job.at, maxSliceLength);
      job.tokens += count(text.slice(job.at, end));
      left -= end - job.at;
      job.at = end;
    }
  }
  return true;
}

/** Special tokens in a text are counted as plain text: only the model may emit them. */
const plain = { disallowedSpecial: new Set<string>() };

const loaded = new Map<Encoding, Promise<(text: string) => number>>();

function counterOf(encoding: Encoding): Promise<(text: string) => number> {
  const known = loaded.get(encoding) ?? load(encoding);
  loaded.set(encoding, known);
  return known;
}

async function load(encoding: Encoding): Promise<(text: string) => number> {
  const { countTokens, setMergeCacheSize } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  setMergeCacheSize(maxCachedWords);
  return (text) => countTokens(text, plain);
}
