import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { type TextKey, translate } from '../../i18n/translate.ts';
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
  readonly reportedByCaller?: boolean;
  /** Headline above the failure message. */
  readonly headline?: TextKey;
  /** Headline above the failure message, unless the server sent a reason. */
  readonly headlineUnlessRejected?: TextKey;
}

const retries = 1;

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => report(error, mutation.meta),
    }),
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

function report(error: unknown, meta: FailureMeta | undefined): void {
  if (meta?.reportedByCaller) return;
  const isExpiry = error instanceof CallFailure && error.status === 401;
  const isRefusal = error instanceof CallFailure && error.kind === 'refused';
  const text = meta?.headline ?? (isRefusal ? undefined : meta?.headlineUnlessRejected);
  if (isExpiry || !meta?.quiet) reportFailure(error, text && translate(text));
}
