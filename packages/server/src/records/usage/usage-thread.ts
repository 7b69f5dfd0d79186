import { parentPort, workerData } from 'node:worker_threads';
import type { Usage } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { type DatabaseLocation, openUsage } from './usage-repository.ts';
import type { UsageCriteria } from './usage-request.ts';
import { UsageService } from './usage-service.ts';

/** Request to the thread. */
export interface UsageThreadRequest {
  readonly id: number;
  readonly question: UsageCriteria;
}

/** Response of the thread, one per request. */
export type UsageThreadResponse = { readonly id: number } & (
  | { readonly usage: Usage }
  | { readonly apiError: Pick<ApiError, 'code' | 'values'> }
  | { readonly error: string }
);

// The main thread passes a database location.
const service = new UsageService(await openUsage(workerData as DatabaseLocation));

async function respondTo({ id, question }: UsageThreadRequest): Promise<UsageThreadResponse> {
  try {
    return { id, usage: await service.read(question) };
  } catch (error) {
    if (error instanceof ApiError) return { id, apiError: { code: error.code, values: error.values } };
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', async (question: UsageThreadRequest) => parentPort?.postMessage(await respondTo(question)));
