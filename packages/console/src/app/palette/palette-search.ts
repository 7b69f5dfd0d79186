import { channelApi, channelTypes, isAdmin, logApi, tokenApi, type User, userApi } from '@headgate/contract';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconArrowsSort,
  IconBox,
  IconChartBar,
  IconCube,
  IconKey,
  IconKeyOff,
  IconListDetails,
  IconRoute,
  IconUser,
} from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { call, callList } from '../../lib/api/call.ts';
import { formatTime } from '../../lib/format/format.ts';
import { matchEntries } from '../../lib/list/match-entries.ts';
import { availableModelsQuery } from '../../lib/page/available-models.ts';
import { useChannelAddress } from '../../lib/page/channel-address.ts';
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
function useBulkEntries(keyword: string, open: (address: string) => () => void): readonly PaletteEntry[] {
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
      { id: `show-${search}`, label: t('All {name} channels', { name }), icon: IconRoute, run: open(address) },
      {
        id: `priority-${search}`,
        label: t('Edit priority of all {name} channels', { name }),
        icon: IconArrowsSort,
        run: open(`${address}&do=priority`),
      },
      {
        id: `models-${search}`,
        label: t('Edit models of all {name} channels', { name }),
        icon: IconBox,
        run: open(`${address}&do=models`),
      },
    ].map((entry) => ({ ...entry, group: 'Channels' as const }));
  });
}

const first = { p: 0, order: '' } as const;

/** Uses the same search endpoints as the lists. A failed search leaves its group empty. */
const searchQueries = (keyword: string) =>
  ({
    channels: queryOptions({
      queryKey: ['palette', 'channel', keyword],
      queryFn: ({ signal }) => callList(channelApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
    users: queryOptions({
      queryKey: ['palette', 'user', keyword],
      queryFn: ({ signal }) => callList(userApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
    tokens: queryOptions({
      queryKey: ['palette', 'token', keyword],
      queryFn: ({ signal }) => callList(tokenApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
  }) as const;

/** Request ids are UUIDs, but clients may display them in other formats. */
const mayBeRequestId = (keyword: string): boolean => /^(?=.*\d)[\w-]{16,100}$/.test(keyword);

/** The log of a request; an unknown id is an error. */
const requestQuery = (key: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['palette', 'request', key, isAdmin],
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logApi.entry, { query: { key } }, { signal })
        : call(logApi.entryOwn, { query: { key } }, { signal }),
    retry: false,
    meta: { quiet: true },
  });

const maxPerGroup = 5;
/** Number of found users and channels for which shortcut actions are listed. */
const maxWithActions = 2;
const pauseMs = 150;

/** Search results of the gateway; empty until something is typed. */
export function useSearchEntries(typed: string, open: (address: string) => () => void) {
  const { t } = useTranslation();
  const user = useUser();
  const [keyword] = useDebouncedValue(typed.trim(), pauseMs);
  const isEnabled = keyword !== '' && user !== undefined;
  const mayManage = isAdmin(user);
  const queries = searchQueries(keyword);
  const channels = useQuery({ ...queries.channels, enabled: isEnabled && mayManage });
  const users = useQuery({ ...queries.users, enabled: isEnabled && mayManage });
  const tokens = useQuery({ ...queries.tokens, enabled: isEnabled });
  const models = useQuery({ ...availableModelsQuery, enabled: isEnabled });
  const named = (models.data ?? []).map((label) => ({ label }));
  const many = useBulkEntries(keyword, open);
  const [channelsFound, usersFound] = [useChannelEntries(open), useUserEntries(open)];
  const { extensions } = useStatus();
  const mayFindRequest = isEnabled && extensions && mayBeRequestId(keyword);
  const request = useQuery({ ...requestQuery(keyword, mayManage), enabled: mayFindRequest });
  const entries: PaletteEntry[] = [
    ...(mayFindRequest && request.data
      ? [
          {
            id: `request-${keyword}`,
            group: 'Requests' as const,
            label: request.data.model_name,
            hint: formatTime(request.data.created_at),
            icon: IconListDetails,
            run: open(`/log?open=${encodeURIComponent(keyword)}`),
          },
        ]
      : []),
    ...many,
    ...channelsFound(firstOf(channels.data?.rows)),
    ...usersFound(firstOf(users.data?.rows)),
    ...firstOf(tokens.data?.rows).map(({ id, name }) => ({
      id: `token-${id}`,
      group: 'Tokens' as const,
      label: name,
      hint: `#${id}`,
      icon: IconKey,
      run: open(`/token/edit/${id}`),
    })),
    ...firstOf(keyword === '' ? [] : matchEntries(named, keyword)).map(({ label }) => ({
      id: `model-${label}`,
      group: 'Models' as const,
      label,
      hint: t('Logs'),
      icon: IconCube,
      run: open(`/log?model_name=${encodeURIComponent(label)}`),
    })),
  ];
  const isBusy = isEnabled && [channels, users, tokens, request].some(({ isFetching }) => isFetching);
  return { entries, isBusy: isBusy || keyword !== typed.trim() };
}

interface FoundChannel {
  readonly id: number;
  readonly name: string;
}

/** Channels, with shortcut actions for the first few. */
function useChannelEntries(open: (address: string) => () => void) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const addressOf = useChannelAddress();
  return (channels: readonly FoundChannel[]): readonly PaletteEntry[] => [
    ...channels.map(({ id, name }) => ({
      id: `channel-${id}`,
      group: 'Channels' as const,
      label: name,
      hint: `#${id}`,
      icon: IconRoute,
      run: open(addressOf(id)),
    })),
    ...channels.slice(0, extensions ? maxWithActions : 0).map(({ id, name }) => ({
      id: `keys-${id}`,
      group: 'Channels' as const,
      label: t('Add keys to {name}', { name }),
      icon: IconKey,
      run: open(`/channel/view/${id}?do=add-keys`),
    })),
  ];
}

type FoundUser = Pick<User, 'id' | 'username' | 'display_name'>;

/** Users, with shortcut actions for the first few. */
function useUserEntries(open: (address: string) => () => void) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  return (users: readonly FoundUser[]): readonly PaletteEntry[] => [
    ...users.map(({ id, username, display_name }) => ({
      id: `user-${id}`,
      group: 'Users' as const,
      label: username,
      hint: display_name === username ? `#${id}` : display_name,
      icon: IconUser,
      run: open(extensions ? `/user/view/${id}` : `/user/edit/${id}`),
    })),
    ...users.slice(0, extensions ? maxWithActions : 0).flatMap(({ id, username }) => [
      {
        id: `spend-${id}`,
        group: 'Users' as const,
        label: t('Spend of {name} this month', { name: username }),
        icon: IconChartBar,
        run: open(`/usage?range=month&columns=none&username=${encodeURIComponent(username)}`),
      },
      {
        id: `tokens-of-${id}`,
        group: 'Users' as const,
        label: t('Disable all tokens of {name}', { name: username }),
        icon: IconKeyOff,
        run: open(`/user/view/${id}?do=disable-tokens`),
      },
    ]),
  ];
}

const firstOf = <Row>(rows: readonly Row[] | undefined): readonly Row[] => (rows ?? []).slice(0, maxPerGroup);
