import { channelApi, channelTypes, isAdmin } from '@headgate/contract';
import { IconArrowsSort, IconBox, IconRoute } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { call } from '../../lib/api/call.ts';
import { useStatus } from '../../lib/page/status.ts';
import type { PaletteEntry } from './palette-entry.ts';

const maxTypes = 2;
const minKeywordLength = 2;

const tagsQuery = queryOptions({
  queryKey: ['palette', 'tags'],
  queryFn: ({ signal }) => call(channelApi.tags, {}, { signal }),
  meta: { quiet: true },
});

/** Bulk actions for channels whose type or tag matches the typed text. */
export function useBulkEntries(keyword: string, open: (address: string) => () => void): readonly PaletteEntry[] {
  const { t, label } = useTranslation();
  const user = useUser();
  const { extensions } = useStatus();
  const isEnabled = extensions && isAdmin(user) && keyword.length >= minKeywordLength;
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled: isEnabled });
  if (!isEnabled) return [];
  const kinds = [
    ...tags.map(({ tag }) => ({ name: tag, search: `tag=${encodeURIComponent(tag)}` })),
    ...channelTypes.map(({ id, name }) => ({ name: label(name), search: `type=${id}` })),
  ].filter(({ name }) => name.toLowerCase().includes(keyword.toLowerCase()));
  return kinds.slice(0, maxTypes).flatMap(({ name, search }): PaletteEntry[] => {
    const address = `/channel?${search}`;
    return [
      { id: `show-${search}`, label: t('All channels: {name}', { name }), icon: IconRoute, run: open(address) },
      {
        id: `priority-${search}`,
        label: t('Priority of all channels: {name}', { name }),
        icon: IconArrowsSort,
        run: open(`${address}&do=priority`),
      },
      {
        id: `models-${search}`,
        label: t('Models of all channels: {name}', { name }),
        icon: IconBox,
        run: open(`${address}&do=models`),
      },
    ].map((entry) => ({ ...entry, group: 'Channels' as const }));
  });
}
