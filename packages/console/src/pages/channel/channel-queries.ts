import {
  type Channel,
  channelApi,
  channelBulkApi,
  channelExportApi,
  channelStatus,
  groupApi,
  type Input,
  modelApi,
} from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallOptions, call, callForNothing, callList, callWithTop } from '../../lib/api/call.ts';
import { askForRows } from '../../lib/api/export-call.ts';
import type { ListPart } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';
import { createStored } from '../../lib/page/stored.ts';

export const channelList = 'channel';

export type ChannelCreation = Input<typeof channelApi.create>['body'];
export type ChannelUpdate = Input<typeof channelApi.update>['body'];

export const channelFilterNames = ['type', 'group', 'model', 'tag', 'failing', 'resting'] as const;
export type ChannelFilterName = (typeof channelFilterNames)[number];
export type ChannelFilters = Readonly<Partial<Record<ChannelFilterName, string>>>;

type BulkOrder = Input<typeof channelBulkApi.run>['body'];
export type ChosenChannels = BulkOrder['chosen'];

/** One page of the channels: searched when there is a keyword. */
export function readChannels(
  { keyword, order: _order, ...state }: ListState,
  filters: ChannelFilters,
  signal: AbortSignal,
): Promise<ListPart<Channel>> {
  const query = { ...state, ...filters, sort: state.sort as undefined };
  return keyword === ''
    ? callList(channelApi.list, { query }, { signal })
    : callList(channelApi.search, { query: { ...query, keyword } }, { signal });
}

/** A few channels by a part of their name, to choose one of. */
export const namedChannelsQuery = (keyword: string) =>
  queryOptions({
    queryKey: [channelList, 'named', keyword],
    queryFn: ({ signal }) => call(channelApi.search, { query: { keyword, size: 20 } }, { signal }),
  });

export interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

const largestPage = 100;

/** The chosen channels; those that match are read page by page. */
export async function readChosen(chosen: ChosenChannels, signal: AbortSignal): Promise<NamedChannel[]> {
  if ('ids' in chosen) return chosen.ids.map((id) => ({ id, name: '' }));
  const found: NamedChannel[] = [];
  for (let p = 0; ; p += 1) {
    const query = { ...chosen.filter, p, size: largestPage, sort: 'id' as const };
    const rows = await call(channelApi.search, { query }, { signal });
    found.push(...rows.map(({ id, name }) => ({ id, name })));
    if (rows.length < largestPage) return found;
  }
}

export const askForChannels = askForRows(channelExportApi.all, channelExportApi.chosen);

export const changeChannels = (body: BulkOrder) => call(channelBulkApi.run, { body });

export const undoChannels = (undo: string) => call(channelBulkApi.undo, { body: { undo } });

export const countChannels = (signal: AbortSignal) => call(channelApi.counts, {}, { signal });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: [channelList, 'one', id],
    queryFn: ({ signal }) => call(channelApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });

const unchangedForMs = 5 * 60_000;

const storedModels = createStored('channel_models', modelApi.byType.reply);

/** The models each channel type offers, by type id: as last known at once, and as they are now. */
export const modelsByTypeQuery = queryOptions({
  queryKey: ['models-by-type'],
  queryFn: async ({ signal }) => {
    const models = await call(modelApi.byType, {}, { signal });
    storedModels.set(models);
    return models;
  },
  initialData: () => storedModels.get(),
  initialDataUpdatedAt: 0,
  staleTime: unchangedForMs,
});

/** Every model that some type offers. */
export const knownModelsQuery = queryOptions({
  queryKey: ['known-models'],
  queryFn: async ({ signal }) => (await call(channelApi.models, {}, { signal })).map(({ id }) => id),
  staleTime: unchangedForMs,
});

export type UpstreamModelsQuestion = Input<typeof channelApi.upstreamModelsWith>['body'];

/** What a provider offers right now; a failure is shown where the models would be. */
export const upstreamModelsQuery = (question: UpstreamModelsQuestion) =>
  queryOptions({
    // Not by the question: it holds a key.
    queryKey: ['upstream-models'],
    queryFn: ({ signal }) => call(channelApi.upstreamModelsWith, { body: question }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });

/** The tags that some channel has; quiet, for a list of suggestions does not deserve a message. */
export const channelTagsQuery = queryOptions({
  queryKey: [channelList, 'tags'],
  queryFn: ({ signal }) => call(channelApi.tags, {}, { signal }),
  retry: false,
  meta: { quiet: true },
});

const mostTagged = 100;

/** The channels of a tag, as many as are shown below it. */
export const taggedChannelsQuery = (tag: string) =>
  queryOptions({
    queryKey: [channelList, 'list', 'tagged', tag],
    queryFn: ({ signal }) => callList(channelApi.list, { query: { tag, size: mostTagged, sort: 'name' } }, { signal }),
  });

export const groupsQuery = queryOptions({
  queryKey: ['groups'],
  queryFn: ({ signal }) => call(groupApi.list, {}, { signal }),
});

export const createChannel = (body: ChannelCreation) => call(channelApi.create, { body });

export const updateChannel = (body: ChannelUpdate, options?: CallOptions) =>
  callForNothing(channelApi.update, { body }, options);

export const removeChannel = (id: number) => call(channelApi.remove, { params: { id } });

/** How many there were. */
export const removeDisabledChannels = () => call(channelApi.removeDisabled, {});

/** How far the run of tests has come. */
export const readTestProgress = (signal: AbortSignal) => call(channelApi.testProgress, {}, { signal });

/** What the run, or the last one, found. */
export const readTestResults = (signal: AbortSignal) => call(channelApi.testResults, {}, { signal });

export const startChosenTests = (ids: readonly number[]) => call(channelApi.testChosen, { body: { ids: [...ids] } });

/** All of them in one call. */
export const disableChannels = (ids: readonly number[]) =>
  call(channelBulkApi.run, {
    body: { chosen: { ids: [...ids] }, change: { kind: 'status', status: channelStatus.disabled } },
  });

export const startTests = (scope: 'all' | 'disabled') => call(channelApi.testAll, { query: { scope } });

/** The seconds it took and the model that was really asked. */
export async function testChannel(id: number, model: string) {
  const outcome = await callWithTop(channelApi.test, { params: { id }, query: { model } });
  return { seconds: outcome.time, model: outcome.model || outcome.modelName || model };
}

export async function updateBalance(id: number): Promise<number> {
  const { balance } = await callWithTop(channelApi.updateBalance, { params: { id } });
  return balance;
}
