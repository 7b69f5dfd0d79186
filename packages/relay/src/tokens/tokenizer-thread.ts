import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { cutAt } from './cut.ts';
import type { Encoding } from './encoding.ts';

/** Sent to the thread: texts to be counted, or the number of an order that nobody waits for any more. */
export type Order =
  | { readonly id: number; readonly encoding: Encoding; readonly texts: readonly string[] }
  | { readonly dropped: number };

/** Sent back, once for each order that was not dropped. */
export interface Count {
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

/** What takes longest is a long run of letters: its time grows with the square of its length. */
const longestSlice = 1000;
const charactersPerTurn = 8000;
/** Words that were worked out before. It is small, as it keeps pieces of what people wrote. */
const rememberedWords = 5000;

let jobs: Job[] = [];
let isWorking = false;

parentPort?.on('message', (order: Order) => {
  if ('dropped' in order) {
    jobs = jobs.filter(({ id }) => id !== order.dropped);
    return;
  }
  jobs.push({ ...order, text: 0, at: 0, tokens: 0 });
  if (!isWorking) void work();
});

/** Each job has its turn, so that a long one does not hold up the others. */
async function work(): Promise<void> {
  isWorking = true;
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const count = await counterOf(job.encoding);
    if (advance(job, count)) parentPort?.postMessage({ id: job.id, tokens: job.tokens } satisfies Count);
    else jobs.push(job);
    await turn();
  }
  isWorking = false;
}

/** True when the job is done. */
function advance(job: Job, count: (text: string) => number): boolean {
  let left = charactersPerTurn;
  for (; job.text < job.texts.length; job.text += 1, job.at = 0) {
    const text = job.texts[job.text] ?? '';
    while (job.at < text.length) {
      if (left <= 0) return false;
      const end = cutAt(text, job.at, longestSlice);
      job.tokens += count(text.slice(job.at, end));
      left -= end - job.at;
      job.at = end;
    }
  }
  return true;
}

/** Special tokens in a text are text: nobody may say them but the model. */
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
  setMergeCacheSize(rememberedWords);
  return (text) => countTokens(text, plain);
}
