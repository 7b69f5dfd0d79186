import { type Channel, type ListedTraffic, splitCommas } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useManaged } from '../../lib/page/managed.ts';
import { GroupLabels } from '../../ui/group-labels.tsx';
import type { Card, CardFact, Column } from '../../ui/list/column.ts';
import { Time } from '../../ui/time.tsx';
import styles from './channel.module.css';
import { ChannelBalance, ChannelName, ChannelTag, ChannelTraffic, ResponseTime, TestModel } from './channel-cells.tsx';
import { useBalanceUpdate, useNumberChange, useRunningTests } from './channel-changes.ts';
import { hasFailed } from './channel-health.ts';
import { ChannelLastFailure, ChannelStatus, PausedModelCount } from './channel-status.tsx';
import { ChannelTypeLabel } from './channel-type-label.tsx';
import { InlineNumber } from './inline-number.tsx';
import type { TestModels } from './test-models.ts';

interface Shown {
  readonly isDetailed: boolean;
  /** True if any channel has a tag. */
  readonly hasTags?: boolean;
  readonly testModels: TestModels;
  /** Traffic of the last 24 hours by channel; undefined while unknown. */
  readonly traffic?: ReadonlyMap<number, ListedTraffic> | undefined;
}

/** Columns of the table, and the same facts for phone cards. */
export function useChannelColumns({ isDetailed, hasTags = false, testModels, traffic }: Shown) {
  const { t } = useTranslation();
  const tested = useRunningTests();
  const { id, name, group, type, tag } = usePlainColumns();
  const { priority, weight } = useNumberColumns();
  const balance = useBalanceColumn();
  const status: Column<Channel> = {
    id: 'status',
    title: t('Status'),
    sort: 'status',
    width: 136,
    grow: 4,
    cell: (channel) => (
      <div className={styles['health']}>
        <ChannelStatus channel={channel} />
        <PausedModelCount channel={channel} />
        <ChannelLastFailure channel={channel} />
      </div>
    ),
  };
  const lastDay: Column<Channel> = {
    id: 'traffic',
    title: t('24 hours'),
    width: 108,
    cell: (channel) => <ChannelTraffic traffic={traffic?.get(channel.id)} />,
  };
  const responseTime: Column<Channel> = {
    id: 'response_time',
    title: t('Response time'),
    sort: 'response_time',
    width: 110,
    cell: (channel) => <ResponseTime channel={channel} isTesting={tested.includes(channel.id)} />,
  };
  const testModel: Column<Channel> = {
    id: 'test_model',
    title: t('Test model'),
    width: 166,
    cell: (channel) => <TestModel channel={channel} testModels={testModels} />,
  };
  const tags = hasTags ? [tag] : [];
  const details = isDetailed ? [balance, testModel] : [];
  const numbers = isDetailed ? [priority, weight] : [priority];
  return {
    columns: [
      id,
      name,
      ...tags,
      group,
      type,
      status,
      lastDay,
      responseTime,
      ...details,
      ...numbers,
      ...useExtraColumns(),
    ],
    card: (channel: Channel): Card => ({
      title: name.cell(channel),
      status: <ChannelStatus channel={channel} />,
      facts: [
        ...(channel.paused_models.length > 0
          ? [{ name: t('Paused models'), value: <PausedModelCount channel={channel} />, isWide: true }]
          : []),
        ...(hasFailed(channel)
          ? [{ name: t('Last failure'), value: <ChannelLastFailure channel={channel} />, isWide: true, isPlain: true }]
          : []),
        factOf(type, channel, true),
        factOf(responseTime, channel, true),
        ...(traffic?.has(channel.id) ? [factOf(lastDay, channel, true)] : []),
        ...numbers.map((column) => factOf(column, channel)),
        factOf(group, channel, true),
        ...[...(channel.tag ? tags : []), ...details].map((column) => factOf(column, channel)),
      ],
    }),
  };
}

const factOf = ({ title, cell }: Column<Channel>, channel: Channel, isPlain = false): CardFact => ({
  name: title,
  value: cell(channel),
  isPlain,
});

function usePlainColumns() {
  const { t } = useTranslation();
  const id: Column<Channel> = {
    id: 'id',
    title: t('ID'),
    sort: 'id',
    isNumber: true,
    width: 60,
    cell: (channel) => channel.id,
  };
  const name: Column<Channel> = {
    id: 'name',
    title: t('Name'),
    sort: 'name',
    width: 112,
    grow: 3,
    isName: true,
    cell: (channel) => <ChannelName channel={channel} />,
  };
  const group: Column<Channel> = {
    id: 'group',
    title: t('Group'),
    sort: 'group',
    width: 108,
    grow: 1,
    cell: (channel) => <GroupLabels groups={splitCommas(channel.group).sort().join(',')} isPlain />,
  };
  const type: Column<Channel> = {
    id: 'type',
    title: t('Type'),
    sort: 'type',
    width: 156,
    grow: 1,
    cell: (channel) => <ChannelTypeLabel id={channel.type} />,
  };
  const tag: Column<Channel> = {
    id: 'tag',
    title: t('Tag'),
    sort: 'tag',
    isExtra: true,
    width: 86,
    cell: (channel) => <ChannelTag channel={channel} />,
  };
  return { id, name, group, type, tag };
}

/** Columns for wide screens. */
function useExtraColumns(): readonly Column<Channel>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return [
    {
      id: 'used_quota',
      title: t('Used quota'),
      sort: 'used_quota',
      isNumber: true,
      isExtra: true,
      width: 112,
      cell: ({ used_quota }) => format(used_quota),
    },
    {
      id: 'created_time',
      title: t('Created'),
      isExtra: true,
      width: 148,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
  ];
}

const nameOf = ({ name, id }: Channel) => name || `#${id}`;
const max = 1_000_000;

function useNumberColumns() {
  const { t } = useTranslation();
  const number = useNumberChange();
  const isManaged = useManaged('channel');
  const priority: Column<Channel> = {
    id: 'priority',
    title: t('Priority'),
    sort: 'priority',
    isNumber: true,
    width: 76,
    cell: (channel) => (
      <InlineNumber
        isReadOnly={isManaged(channel.id)}
        label={t('Priority of {name} (higher is preferred)', { name: nameOf(channel) })}
        value={channel.priority ?? 0}
        min={-max}
        max={max}
        onSave={(value) => number.mutateAsync({ channel, change: { priority: value } })}
      />
    ),
  };
  const weight: Column<Channel> = {
    id: 'weight',
    title: t('Weight'),
    sort: 'weight',
    isNumber: true,
    width: 76,
    cell: (channel) => (
      <InlineNumber
        isReadOnly={isManaged(channel.id)}
        label={t('Weight of {name} among channels of equal priority', { name: nameOf(channel) })}
        value={channel.weight ?? 0}
        min={0}
        max={max}
        onSave={(value) => number.mutateAsync({ channel, change: { weight: value } })}
      />
    ),
  };
  return { priority, weight };
}

function useBalanceColumn(): Column<Channel> {
  const { t } = useTranslation();
  const balance = useBalanceUpdate();
  return {
    id: 'balance',
    title: t('Balance'),
    sort: 'balance',
    isNumber: true,
    width: 104,
    cell: (channel) => (
      <ChannelBalance
        channel={channel}
        isUpdating={balance.isPending && balance.variables.id === channel.id}
        onUpdate={() => balance.mutate(channel)}
      />
    ),
  };
}
