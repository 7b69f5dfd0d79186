import { defaultLogo, type Status, statusApi, status as statusSchema, stripTrailingSlash } from '@headgate/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import type { EditMode } from './changed-fields.ts';
import { createStoredValue } from './stored-value.ts';

const stored = createStoredValue<Status>('status', statusSchema);

const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call(statusApi.status, {}, { signal }),
  staleTime: 60_000,
  meta: { headline: 'Cannot connect to the server normally' },
});

const unknownStatus = statusSchema.parse({});

/** Gateway status: cached at first, then current. */
export const useStatus = (): Status => useKnownStatus() ?? unknownStatus;

/** Gateway status; undefined before the first response. */
export function useKnownStatus(): Status | undefined {
  const { data } = useQuery(statusQuery);
  return data ?? stored.get();
}

/** True before the first response; a returning browser has a cached status. */
export function useIsStatusPending(): boolean {
  const { isPending } = useQuery(statusQuery);
  return isPending && stored.get() === undefined;
}

/** Public address of the gateway: as configured, otherwise the console's origin. */
export const useServerAddress = (): string => stripTrailingSlash(useStatus().server_address || window.location.origin);

/** Our server accepts partial updates; the specification requires complete rows. */
export const useEditMode = (): EditMode => (useStatus().extensions ? 'changes' : 'whole');

/** Keeps browser storage and favicon in sync with the status. Used once, by the frame. */
export function useStatusSync(): void {
  const { data } = useQuery(statusQuery);
  const status = useStatus();
  useEffect(() => {
    if (data) remember(data);
  }, [data]);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', status.logo || defaultLogo);
  }, [status.logo]);
}

/** Storage keys that pages and older clients of this API read individually. */
const mirroredKeys = ['system_name', 'logo', 'footer_html', 'quota_per_unit', 'display_in_currency'] as const;

function remember(status: Status): void {
  stored.set(status);
  for (const key of mirroredKeys) localStorage.setItem(key, String(status[key]));
  if (status.chat_link) localStorage.setItem('chat_link', status.chat_link);
  else localStorage.removeItem('chat_link');
}
