import { parentPort, workerData } from 'node:worker_threads';
import type { Usage } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { UsageQuestion } from './usage-question.ts';
import { type DatabaseLocation, openUsage } from './usage-repository.ts';
import { UsageService } from './usage-service.ts';

/** Request to the thread. */
export interface NumberedQuestion {
  readonly id: number;
  readonly question: UsageQuestion;
}

/** Response of the thread, one per request. */
export type NumberedAnswer = { readonly id: number } & (
  | { readonly usage: Usage }
  | { readonly refusal: Pick<ApiError, 'code' | 'values'> }
  | { readonly error: string }
);

// The main thread passes a database location.
const service = new UsageService(await openUsage(workerData as DatabaseLocation));

async function answerTo({ id, question }: NumberedQuestion): Promise<NumberedAnswer> {
  try {
    return { id, usage: await service.read(question) };
  } catch (error) {
    if (error instanceof ApiError) return { id, refusal: { code: error.code, values: error.values } };
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', async (question: NumberedQuestion) => parentPort?.postMessage(await answerTo(question)));
