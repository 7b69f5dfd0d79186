import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { translate, type Words } from '../../i18n/translate.ts';
import { CallFailure, isTransient } from './failure.ts';
import { reportFailure } from './report-failure.ts';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: FailureMeta;
    mutationMeta: FailureMeta;
  }
}

interface FailureMeta extends Record<string, unknown> {
  /** The call is optional: its failure shows nothing, save that the session has ended. */
  readonly quiet?: boolean;
  /** Whoever makes the call tells every failure, the end of the session too: told twice, two ways lead off the page. */
  readonly toldByCaller?: boolean;
  /** Words above those of the failure. */
  readonly failureWords?: Words;
  /** Words above those of the failure, only where the server does not say itself why. */
  readonly wordsUnlessRefused?: Words;
}

const retries = 1;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => tell(error, query.meta) }),
    mutationCache: new MutationCache({ onError: (error, _variables, _result, mutation) => tell(error, mutation.meta) }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < retries && isTransient(error),
        retryDelay: 500,
        refetchOnWindowFocus: false,
      },
    },
  });
}

function tell(error: unknown, meta: FailureMeta | undefined): void {
  if (meta?.toldByCaller) return;
  const isExpiry = error instanceof CallFailure && error.status === 401;
  const isRefusal = error instanceof CallFailure && error.kind === 'refused';
  const words = meta?.failureWords ?? (isRefusal ? undefined : meta?.wordsUnlessRefused);
  if (isExpiry || !meta?.quiet) reportFailure(error, words && translate(words));
}
