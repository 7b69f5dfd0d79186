import { groupApi, type LogSuggestion, logApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export type SuggestedField = 'token_name' | 'model_name' | 'username' | 'channel' | 'group';

/** Suggestions for a filter. Errors are not shown, because typing works without suggestions. */
export const suggestionsQuery = (field: SuggestedField, keyword: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['log-suggestions', field, keyword, isAdmin],
    queryFn: ({ signal }) => suggest(field, keyword, isAdmin, signal),
    // Options keep their positions while more are loaded.
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });

async function suggest(
  field: SuggestedField,
  keyword: string,
  isAdmin: boolean,
  signal: AbortSignal,
): Promise<LogSuggestion[]> {
  if (field === 'group') {
    const groups = await call(groupApi.list, {}, { signal });
    return groups.filter((group) => group.includes(keyword)).map((value) => ({ value, name: '' }));
  }
  if (isAdmin) return call(logApi.suggest, { query: { field, keyword } }, { signal });
  const isOwn = field === 'token_name' || field === 'model_name';
  return isOwn ? call(logApi.suggestOwn, { query: { field, keyword } }, { signal }) : [];
}
