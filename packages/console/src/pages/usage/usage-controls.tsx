import type { UsageAxis } from '@headgate/contract';
import { Button, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { isDays, isMonth, lastMonths, type UsageRange, usageRanges } from '../../lib/format/usage-time.ts';
import styles from './usage.module.css';
import { axisLabels, measureLabels } from './usage-labels.ts';
import { axesFor, canCross, measuresFor, type UsageState } from './usage-state.ts';

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

/** Time range: one that ends now, or a whole month. */
export function TimeControls({ state, change }: Pick<ControlsProps, 'state' | 'change'>) {
  const { t, language } = useTranslation();
  const monthText = (name: string) => {
    const [year = 0, month = 1] = name.split('-').map(Number);
    return new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long' }).format(new Date(year, month - 1, 1));
  };
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
        data={[
          { value: '', label: t('Month …'), disabled: true },
          ...lastMonths(new Date(), monthsBack).map((value) => ({ value, label: monthText(value) })),
        ]}
        onChange={(event) => change({ range: event.currentTarget.value })}
      />
      {isDays(state.range) && (
        <Text span size="sm" fw={500}>
          {state.range.replace('~', ' – ')}
        </Text>
      )}
    </Group>
  );
}

/** Grouping, measure and chart type. */
export function AxisControls({ state, isAdmin, change }: ControlsProps) {
  const { t } = useTranslation();
  const axes = axesFor(isAdmin).map((value) => ({ value, label: t(axisLabels[value]) }));
  const chooseRows = (rows: UsageAxis) => change(canCross(rows, state.columns) ? { rows } : { rows, columns: '' });
  return (
    <div className={styles['axes']}>
      <NativeSelect
        size="sm"
        label={t('Rows')}
        value={state.rows}
        data={axes}
        onChange={(event) => chooseRows(event.currentTarget.value as UsageAxis)}
      />
      <NativeSelect
        size="sm"
        label={t('Columns')}
        value={state.columns}
        data={[
          { value: '', label: t('None (all metrics)') },
          ...axes.filter(({ value }) => canCross(state.rows, value)),
        ]}
        onChange={(event) => change({ columns: event.currentTarget.value as UsageAxis | '' })}
      />
      <NativeSelect
        size="sm"
        label={t('Metric')}
        value={state.measure}
        data={measuresFor(isAdmin).map((value) => ({ value, label: t(measureLabels[value]) }))}
        onChange={(event) => change({ measure: event.currentTarget.value as UsageState['measure'], order: 'desc' })}
      />
      <NativeSelect
        size="sm"
        label={t('Top')}
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
    </div>
  );
}
