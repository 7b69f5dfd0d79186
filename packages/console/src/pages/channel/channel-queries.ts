import {
  type Channel,
  channelApi,
  channelBulkApi,
  channelExportApi,
  channelKeyApi,
  channelStatus,
  groupApi,
  type Input,
  modelApi,
} from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, call, callList, callWithEnvelope, callWithoutData } from '../../lib/api/call.ts';
import { requestExport } from '../../lib/api/export-call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';
import { createStoredValue } from '../../lib/page/stored-value.ts';

export const channelList = 'channel';

export type ChannelCreation = Input<typeof channelApi.create>['body'];
export type ChannelUpdate = Input<typeof channelApi.update>['body'];

export const channelFilterNames = ['type', 'group', 'model', 'tag', 'failing', 'cooling_down'] as const;
export type ChannelFilterName = (typeof channelFilterNames)[number];
export type ChannelFilters = Readonly<Partial<Record<ChannelFilterName, string>>>;

type BulkInput = Input<typeof channelBulkApi.run>['body'];
export type SelectedChannels = BulkInput['chosen'];

/** One page of channels; uses the search with a keyword. */
export function readChannels(
  { keyword, order: _order, ...state }: ListState,
  filters: ChannelFilters,
  signal: AbortSignal,
): Promise<ListPage<Channel>> {
  const query = { ...state, ...filters, sort: state.sort as undefined };
  return keyword === ''
    ? callList(channelApi.list, { query }, { signal })
    : callList(channelApi.search, { query: { ...query, keyword } }, { signal });
}

/** Suggestions of channels by part of the name. */
export const channelSuggestionsQuery = (keyword: string) =>
  queryOptions({
    queryKey: [channelList, 'named', keyword],
    queryFn: ({ signal }) => call(channelApi.search, { query: { keyword, size: 20 } }, { signal }),
  });

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

const largestPage = 100;

/** The selected channels; all matches are read page by page. */
export async function readSelectedChannels(chosen: SelectedChannels, signal: AbortSignal): Promise<NamedChannel[]> {
  if ('ids' in chosen) return chosen.ids.map((id) => ({ id, name: '' }));
  const found: NamedChannel[] = [];
  for (let p = 0; ; p += 1) {
    const query = { ...chosen.filter, p, size: largestPage, sort: 'id' as const };
    const rows = await call(channelApi.search, { query }, { signal });
    found.push(...rows.map(({ id, name }) => ({ id, name })));
    if (rows.length < largestPage) return found;
  }
}

export const exportChannels = requestExport(channelExportApi.all, channelExportApi.chosen);

export const changeChannels = (body: BulkInput) => call(channelBulkApi.run, { body });

export const undoChannelChanges = (undo: string) => call(channelBulkApi.undo, { body: { undo } });

export const countChannels = (signal: AbortSignal) => call(channelApi.counts, {}, { signal });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: [channelList, 'one', id],
    queryFn: ({ signal }) => call(channelApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

const staleAfterMs = 5 * 60_000;

const storedModels = createStoredValue('channel_models', modelApi.byType.reply);

/** Models by channel type: cached at first, then current. */
export const modelsByTypeQuery = queryOptions({
  queryKey: ['models-by-type'],
  queryFn: async ({ signal }) => {
    const models = await call(modelApi.byType, {}, { signal });
    storedModels.set(models);
    return models;
  },
  initialData: () => storedModels.get(),
  initialDataUpdatedAt: 0,
  staleTime: staleAfterMs,
});

/** All models that any type offers. */
export const knownModelsQuery = queryOptions({
  queryKey: ['known-models'],
  queryFn: async ({ signal }) => (await call(channelApi.models, {}, { signal })).map(({ id }) => id),
  staleTime: staleAfterMs,
});

export type UpstreamModelsInput = Input<typeof channelApi.upstreamModelsWith>['body'];

/** Current models of a provider; an error is shown instead of the models. */
export const upstreamModelsQuery = (question: UpstreamModelsInput) =>
  queryOptions({
    // The query key must not contain the input, which includes a channel key.
    queryKey: ['upstream-models'],
    queryFn: ({ signal }) => call(channelApi.upstreamModelsWith, { body: question }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });

/** Tags in use. Errors are not shown, because they are only suggestions. */
export const channelTagsQuery = queryOptions({
  queryKey: [channelList, 'tags'],
  queryFn: ({ signal }) => call(channelApi.tags, {}, { signal }),
  retry: false,
  meta: { quiet: true },
});

const maxTagged = 100;

/** Channels with a tag, up to the displayed maximum. */
export const taggedChannelsQuery = (tag: string) =>
  queryOptions({
    queryKey: [channelList, 'list', 'tagged', tag],
    queryFn: ({ signal }) => callList(channelApi.list, { query: { tag, size: maxTagged, sort: 'name' } }, { signal }),
  });

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(groupApi.list, {}, { signal }),
});

/** Creates channels; with several keys, the keys after the first are added to the first channel. */
export async function createWithKeys(body: ChannelCreation, otherKeys: readonly string[]): Promise<void> {
  const created = await call(channelApi.create, { body });
  if (!created || otherKeys.length === 0) return;
  await call(channelKeyApi.add, { params: { id: created.id }, body: { keys: otherKeys.join('\n') } });
}

export const updateChannel = (body: ChannelUpdate, options?: CallOptions) =>
  callWithoutData(channelApi.update, { body }, options);

export const removeChannel = (id: number) => call(channelApi.remove, { params: { id } });

/** Returns the number of deleted channels. */
export const removeDisabledChannels = () => call(channelApi.removeDisabled, {});

/** Progress of the test run. */
export const readTestProgress = (signal: AbortSignal) => call(channelApi.testProgress, {}, { signal });

/** Results of the current or last test run. */
export const readTestResults = (signal: AbortSignal) => call(channelApi.testResults, {}, { signal });

export const testSelectedChannels = (ids: readonly number[]) =>
  call(channelApi.testChosen, { body: { ids: [...ids] } });

/** Disables all of them in one call. */
export const disableChannels = (ids: readonly number[]) =>
  call(channelBulkApi.run, {
    body: { chosen: { ids: [...ids] }, change: { kind: 'status', status: channelStatus.disabled } },
  });

export const startTests = (scope: 'all' | 'disabled') => call(channelApi.testAll, { query: { scope } });

/** Returns the duration in seconds and the tested model. */
export async function testChannel(id: number, model: string) {
  const outcome = await callWithEnvelope(channelApi.test, { params: { id }, query: { model } });
  return { seconds: outcome.time, model: outcome.model || outcome.modelName || model };
}

export async function updateBalance(id: number): Promise<number> {
  const { balance } = await callWithEnvelope(channelApi.updateBalance, { params: { id } });
  return balance;
}
