import { type Channel, channelStatuses } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useList } from '../../lib/list/list.ts';
import { useListFilters } from '../../lib/list/list-filters.ts';
import { filterParameters } from '../../lib/list/list-state.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ListExport, ListExportProgress } from '../../ui/export/list-export.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import { useChannelBulk } from './bulk/channel-bulk.tsx';
import { useChannelActions } from './channel-actions.tsx';
import { useChannelColumns } from './channel-columns.tsx';
import { HealthFilter } from './channel-health-filters.tsx';
import {
  channelFilterNames,
  channelList,
  channelTagsQuery,
  countChannels,
  exportChannels,
  readChannels,
} from './channel-queries.ts';
import { ChannelTools } from './channel-tools.tsx';
import { trafficQuery } from './overview/overview-queries.ts';
import { useDetails, useDismissedHint } from './stored-flags.ts';
import { useTestModels } from './test-models.ts';
import { useTestRun } from './test-run.ts';

const TestPanel = lazy(async () => ({ default: (await import('./test-panel.tsx')).TestPanel }));
// Loaded after the rows.
const ChannelFilterBar = lazy(async () => ({ default: (await import('./channel-filter-bar.tsx')).ChannelFilterBar }));

const DetailsSwitch = lazy(async () => ({ default: (await import('./details-switch.tsx')).DetailsSwitch }));

const ChannelHint = lazy(async () => ({ default: (await import('./channel-hint.tsx')).ChannelHint }));

const ChannelsByTag = lazy(async () => ({ default: (await import('./channels-by-tag.tsx')).ChannelsByTag }));

export function ChannelListPage() {
  const { by } = useSearch({ strict: false }) as { by?: string };
  const { extensions } = useStatus();
  const hint = useDismissedHint();
  if (by === 'tag' && extensions) return <GroupedChannels />;
  return (
    <>
      <ChannelRows />
      {!hint.isSet && (
        <Suspense>
          <ChannelHint seen={hint} />
        </Suspense>
      )}
    </>
  );
}

function GroupedChannels() {
  const { columns } = useChannelColumns({ isDetailed: true, testModels: useTestModels() });
  return (
    <Suspense>
      <ChannelsByTag columns={columns} />
    </Suspense>
  );
}

/** Filters of the filter bar, which excludes the health buttons. */
const channelBarFilters = ['type', 'group', 'model', 'tag'] as const;

function useFilteredChannels() {
  const control = useListFilters(channelFilterNames);
  const { filters } = control;
  const list = useList<Channel>({
    name: channelList,
    read: (state, signal) => readChannels(state, filters, signal),
    counts: countChannels,
    dependencies: filters,
  });
  return { control, list };
}

type FilteredChannels = ReturnType<typeof useFilteredChannels>;

function QuickFilters({ control, list }: FilteredChannels) {
  return (
    <>
      <HealthFilter control={control} name="failing" count={list.counts?.['failing']} />
      <HealthFilter control={control} name="cooling_down" count={list.counts?.['cooling_down']} />
    </>
  );
}

interface ChannelExportProps {
  readonly list: FilteredChannels['list'];
  readonly filters: FilteredChannels['control']['filters'];
}

function ChannelExport({ list, filters }: ChannelExportProps) {
  return (
    <ListExport
      list={channelList}
      isEmpty={list.rows.length === 0}
      ask={exportChannels({ filter: { ...filters, ...filterParameters(list.state) } })}
    />
  );
}

/** Row and card props of the channel list. */
function useRowProps(isDetailed: boolean, channels: readonly Channel[]) {
  const { extensions } = useStatus();
  const testModels = useTestModels();
  const { data: tags = [] } = useQuery({ ...channelTagsQuery, enabled: extensions });
  const { data: traffic } = useQuery(trafficQuery(extensions ? channels.map(({ id }) => id) : []));
  const hasTags = tags.length > 0;
  return {
    ...useChannelColumns({ isDetailed, hasTags, testModels, traffic }),
    actions: useChannelActions(testModels),
    rowKey: (channel: Channel) => channel.id,
    rowName: (channel: Channel) => channel.name || `#${channel.id}`,
    hasTags,
  };
}

function ChannelRows() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { control, list } = useFilteredChannels();
  const { filters } = control;
  const { selection, dialog } = useChannelBulk(list, filters);
  const run = useTestRun();
  const details = useDetails();
  const { hasTags, ...rows } = useRowProps(details.isSet, list.rows);
  return (
    <ListPage
      title={t('Channels')}
      list={list}
      managed="channel"
      {...rows}
      statuses={channelStatuses}
      searchLabel={t('Search by ID, name and key')}
      add={{ label: t('Add channel'), to: '/channel/add' }}
      emptyText={t('No channels yet')}
      quick={extensions && <QuickFilters control={control} list={list} />}
      customFilters={control}
      selection={selection}
      filters={
        extensions && {
          list: channelList,
          count: channelBarFilters.filter((name) => filters[name] !== undefined).length,
          lines: 3,
          bar: <ChannelFilterBar control={control} />,
        }
      }
      switches={
        <Suspense>
          <DetailsSwitch details={details} />
        </Suspense>
      }
      tools={
        <ChannelTools onRefresh={list.refresh} run={run} hasTags={hasTags}>
          {extensions && <ChannelExport list={list} filters={filters} />}
        </ChannelTools>
      }
    >
      <Suspense>{run.isShown && <TestPanel run={run} />}</Suspense>
      <ListExportProgress list={channelList} />
      {dialog}
    </ListPage>
  );
}
