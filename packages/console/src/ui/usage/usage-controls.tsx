import type { UsageAxis } from '@headgate/contract';
import { Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { isDays, isMonth, lastMonths, type UsageRange, usageRanges } from '../../lib/format/usage-time.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { useStatus } from '../../lib/page/status.ts';
import styles from './usage.module.css';
import { axisLabels, axisText, measureLabels } from './usage-labels.ts';
import { tagKeysQuery } from './usage-queries.ts';
import { axesFor, canCombineAxes, measuresFor, type UsageState } from './usage-state.ts';

export interface ControlsProps {
  readonly state: UsageState;
  readonly isAdmin: boolean;
  change(change: Partial<UsageState>): void;
}

const rangeLabels: Readonly<Record<UsageRange, TextKey>> = {
  today: 'Today',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
};

const monthsBack = 24;

const daysText = (range: string): string => range.replace('~', ' – ');

/** Time range: relative to now, or a whole month. Phones have one select. */
export function TimeControls({ state, change }: Pick<ControlsProps, 'state' | 'change'>) {
  const { t, language } = useTranslation();
  const isPhone = useIsPhone();
  const monthText = (name: string) => {
    const [year = 0, month = 1] = name.split('-').map(Number);
    return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long' }).format(new Date(year, month - 1, 1));
  };
  const months = lastMonths(new Date(), monthsBack).map((value) => ({ value, label: monthText(value) }));
  if (isPhone)
    return (
      <NativeSelect
        size="sm"
        className={styles['range'] ?? ''}
        aria-label={t('Time range')}
        value={state.range}
        data={[
          ...(isDays(state.range) ? [{ value: state.range, label: daysText(state.range) }] : []),
          ...usageRanges.map((range) => ({ value: range, label: t(rangeLabels[range]) })),
          { group: t('Month'), items: months },
        ]}
        onChange={(event) => change({ range: event.currentTarget.value })}
      />
    );
  return (
    <Group gap={4} role="group" aria-label={t('Time range')} className={styles['ranges'] ?? ''}>
      {usageRanges.map((range) => (
        <Button
          key={range}
          size="compact-sm"
          variant={state.range === range ? 'light' : 'subtle'}
          color={state.range === range ? 'indigo' : 'gray'}
          aria-pressed={state.range === range}
          onClick={() => change({ range })}
        >
          {t(rangeLabels[range])}
        </Button>
      ))}
      <NativeSelect
        size="xs"
        aria-label={t('Month')}
        value={isMonth(state.range) ? state.range : ''}
        data={[{ value: '', label: t('Choose month…'), disabled: true }, ...months]}
        onChange={(event) => change({ range: event.currentTarget.value })}
      />
      {isDays(state.range) && (
        <Text span size="sm" fw={500}>
          {daysText(state.range)}
        </Text>
      )}
    </Group>
  );
}

const tagPrefix = 'tag:';

const axisValue = (axis: UsageAxis | '', { tagKey }: UsageState) => (axis === 'tag' ? `${tagPrefix}${tagKey}` : axis);

function axisIn(value: string): { axis: UsageAxis | ''; tagKey: string } {
  return value.startsWith(tagPrefix)
    ? { axis: 'tag', tagKey: value.slice(tagPrefix.length) }
    : { axis: value as UsageAxis | '', tagKey: '' };
}

/** The displayed tag key after an axis change. A report has one tag key, so a filter by a different key is removed. */
function tagOf(chosen: string, state: UsageState, otherAxis: UsageAxis | ''): Partial<UsageState> {
  const tagKey = chosen === '' && otherAxis === 'tag' ? state.tagKey : chosen;
  const { tag, ...filters } = state.filters;
  const isKept = tagKey === '' || tag === undefined || tag.startsWith(`${tagKey}=`);
  return { tagKey, ...(!isKept && { filters }) };
}

interface AxisOption {
  readonly axis: UsageAxis;
  readonly value: string;
  readonly label: string;
}

/** Axes to choose from, including one per tag key. */
function useAxes({ tagKey }: UsageState, isAdmin: boolean): AxisOption[] {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { data: keys = [] } = useQuery(tagKeysQuery(extensions));
  const shown = [...new Set([...keys, ...(tagKey === '' ? [] : [tagKey])])];
  return axesFor(isAdmin).flatMap((axis): AxisOption[] =>
    axis === 'tag'
      ? shown.map((key) => ({ axis, value: `${tagPrefix}${key}`, label: axisText(t, axis, key) }))
      : [{ axis, value: axis, label: t(axisLabels[axis]) }],
  );
}

/** Grouping, measure and chart type, in one row. */
export function AxisControls({ state, isAdmin, change, children }: ControlsProps & { readonly children?: ReactNode }) {
  const { t } = useTranslation();
  const axes = useAxes(state, isAdmin);
  const chooseRows = (value: string) => {
    const { axis: rows, tagKey } = axisIn(value);
    change({
      ...(rows && { rows }),
      ...(rows && !canCombineAxes(rows, state.columns) && { columns: '' }),
      ...tagOf(tagKey, state, state.columns),
    });
  };
  const chooseColumns = (value: string) => {
    const { axis: columns, tagKey } = axisIn(value);
    change({ columns, ...tagOf(tagKey, state, state.rows) });
  };
  return (
    <div className={styles['axes']}>
      <NativeSelect
        size="sm"
        label={t('Rows')}
        className={styles['axis'] ?? ''}
        value={axisValue(state.rows, state)}
        data={axes}
        onChange={(event) => chooseRows(event.currentTarget.value)}
      />
      <NativeSelect
        size="sm"
        label={t('Columns')}
        className={styles['axis'] ?? ''}
        value={axisValue(state.columns, state)}
        data={[{ value: '', label: t('All metrics') }, ...axes.filter(({ axis }) => canCombineAxes(state.rows, axis))]}
        onChange={(event) => chooseColumns(event.currentTarget.value)}
      />
      <NativeSelect
        size="sm"
        label={t('Metric')}
        className={styles['axis'] ?? ''}
        value={state.measure}
        data={measuresFor(isAdmin).map((value) => ({ value, label: t(measureLabels[value]) }))}
        onChange={(event) => change({ measure: event.currentTarget.value as UsageState['measure'], order: 'desc' })}
      />
      <NativeSelect
        size="sm"
        label={t('Top')}
        className={styles['axis'] ?? ''}
        value={String(state.top)}
        data={['5', '10', '20', '50']}
        onChange={(event) => change({ top: Number(event.currentTarget.value) })}
      />
      <SegmentedControl
        size="sm"
        aria-label={t('Chart')}
        className={styles['kind'] ?? ''}
        value={state.chart}
        data={[
          { value: 'bars', label: t('Bars') },
          { value: 'lines', label: t('Lines') },
        ]}
        onChange={(chart) => change({ chart: chart as UsageState['chart'] })}
      />
      {children}
    </div>
  );
}
