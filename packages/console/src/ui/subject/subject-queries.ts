import { type Subject, type SubjectKind, subjectApi, tokenApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callList } from '../../lib/api/call.ts';

/** Source of the names: all, for admins, or the user's own tokens. */
export type SubjectSource = SubjectKind | 'own-token';

const name = 'subject';
const maxOwnTokens = 20;
const staleTime = 30_000;

/** Debounce of the search while typing, in milliseconds. */
const typingMs = 200;

async function find(source: SubjectSource, keyword: string, signal: AbortSignal): Promise<readonly Subject[]> {
  await new Promise((resolve) => setTimeout(resolve, keyword === '' ? 0 : typingMs));
  signal.throwIfAborted();
  if (source !== 'own-token') return call(subjectApi.suggest, { query: { kind: source, keyword } }, { signal });
  const { rows } = await callList(tokenApi.search, { query: { keyword, size: maxOwnTokens } }, { signal });
  return rows.map(ownToken);
}

/** Search suggestions. */
export const subjectSuggestionsQuery = (source: SubjectSource, keyword: string) =>
  queryOptions({
    queryKey: [name, source, 'suggested', keyword],
    queryFn: ({ signal }) => find(source, keyword, signal),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime,
    // Shown in the field.
    meta: { quiet: true },
  });

/** Names by id; deleted ones are missing. */
export const subjectNamesQuery = (source: SubjectSource, ids: readonly number[]) =>
  queryOptions({
    queryKey: [name, source, 'named', ids.join()],
    queryFn: async ({ signal }): Promise<readonly Subject[]> => {
      if (source === 'own-token')
        return Promise.all(ids.map(async (id) => ownToken(await call(tokenApi.get, { params: { id } }, { signal }))));
      return call(subjectApi.suggest, { query: { kind: source, keyword: '', ids: ids.join() } }, { signal });
    },
    enabled: ids.length > 0,
    staleTime,
    meta: { quiet: true },
  });

const ownToken = ({ id, name: tokenName }: { readonly id: number; readonly name: string }): Subject => ({
  value: String(id),
  name: tokenName,
  owner: '',
  owner_id: 0,
});
