import { defaultLogo, type Status, statusApi, status as statusSchema, withoutTrailingSlash } from '@headgate/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/call.ts';
import type { EditExtent } from './changed-fields.ts';
import { createStored } from './stored.ts';

const stored = createStored<Status>('status', statusSchema);

const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => call(statusApi.status, {}, { signal }),
  staleTime: 60_000,
  meta: { failureWords: 'Cannot connect to the server normally' },
});

const unknownStatus = statusSchema.parse({});

/** What the gateway says of itself: the last known at once, the current one as soon as it comes. */
export const useStatus = (): Status => useKnownStatus() ?? unknownStatus;

/** The same, or nothing before the gateway has ever said it. */
export function useKnownStatus(): Status | undefined {
  const { data } = useQuery(statusQuery);
  return data ?? stored.get();
}

/** True before the first answer of the gateway; a browser that was here before remembers one. */
export function useIsStatusPending(): boolean {
  const { isPending } = useQuery(statusQuery);
  return isPending && stored.get() === undefined;
}

/** Where programs reach the gateway: what its owner says, else where the console came from. */
export const useServerAddress = (): string =>
  withoutTrailingSlash(useStatus().server_address || window.location.origin);

/** Our own server changes the fields it is sent; the specification speaks of whole rows. */
export const useEditExtent = (): EditExtent => (useStatus().extensions ? 'changes' : 'whole');

/** Keeps the browser's copy and the icon in step with the gateway. Used once, by the frame. */
export function useStatusMirror(): void {
  const { data } = useQuery(statusQuery);
  const status = useStatus();
  useEffect(() => {
    if (data) remember(data);
  }, [data]);
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', status.logo || defaultLogo);
  }, [status.logo]);
}

/** The storage keys that pages and older clients of this API read one by one. */
const mirrored = ['system_name', 'logo', 'footer_html', 'quota_per_unit', 'display_in_currency'] as const;

function remember(status: Status): void {
  stored.set(status);
  for (const key of mirrored) localStorage.setItem(key, String(status[key]));
  if (status.chat_link) localStorage.setItem('chat_link', status.chat_link);
  else localStorage.removeItem('chat_link');
}
