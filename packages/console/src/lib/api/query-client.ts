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
  /** Optional call: failures are not shown, except the end of the session. */
  readonly quiet?: boolean;
  /** The caller reports all failures, including the end of the session, which must not redirect twice. */
  readonly toldByCaller?: boolean;
  /** Headline above the failure message. */
  readonly failureWords?: Words;
  /** Headline above the failure message, unless the server sent a reason. */
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
