import { type LogFacetField, type LogFacets, type LogHistogram, logType, successStatus } from '@headgate/contract';
import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { type TextKey, type Translate, useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { failureColor, mainColor } from '../../ui/chart/chart-colors.ts';
import { ChartLegend } from '../../ui/chart/chart-legend.tsx';
import { countUnit } from '../../ui/chart/chart-units.ts';
import { LazyChart } from '../../ui/chart/lazy-chart.tsx';
import type { LogFilterControl } from './log-filter-state.ts';
import type { LogFilters } from './log-filters.ts';
import styles from './log-overview.module.css';
import { facetsQuery, histogramQuery, type LogScope } from './log-queries.ts';
import { LogRangeShortcuts } from './log-range-shortcuts.tsx';
import { useReasonLabel } from './log-summary.ts';

interface LogOverviewProps {
  readonly control: LogFilterControl;
  readonly scope: LogScope;
}

/** Histogram and facets above the requests. */
export function LogOverview({ control, scope }: LogOverviewProps) {
  const { data } = useQuery(histogramQuery(scope));
  const isPhone = useIsPhone();
  return (
    <div className={styles['overview']}>
      {data ? (
        <Histogram histogram={data} control={control}>
          {!isPhone && <LogRangeShortcuts control={control} />}
          <Facets control={control} scope={scope} />
        </Histogram>
      ) : (
        <div className={styles['place']} />
      )}
    </div>
  );
}

interface HistogramProps {
  readonly histogram: LogHistogram;
  readonly control: LogFilterControl;
  /** Content at the end of the legend. */
  readonly children: ReactNode;
}

const plotHeight = 56;

/** Requests and failures over time. Dragging, or Enter at the crosshair, sets the range. */
function Histogram({ histogram, control: { filters, apply }, children }: HistogramProps) {
  const { t } = useTranslation();
  const { from, to, step, bars, counted_from } = histogram;
  const { series, points } = useMemo(() => pointsOf({ from, to, step, bars }, t), [from, to, step, bars, t]);
  const requests = bars.reduce((sum, { rows }) => sum + rows, 0);
  const failures = bars.reduce((sum, bar) => sum + bar.failures, 0);
  const summary = t('{requests} requests, {failures} failed, from {from} to {to}', {
    requests: formatNumber(requests),
    failures: formatNumber(failures),
    from: formatTime(from),
    to: formatTime(to),
  });
  const isFailed = filters.type === logType.failure;
  const isSucceeded = filters.status === successStatus;
  const legend = (
    <ChartLegend
      items={[
        {
          name: 'succeeded',
          label: t('Succeeded'),
          color: mainColor,
          value: formatNumber(requests - failures),
          isPressed: isSucceeded,
          title: t('Show succeeded requests only'),
          onToggle: () => apply(chosen(filters, 'status', isSucceeded ? '' : String(successStatus))),
        },
        {
          name: 'failed',
          label: t('Failed'),
          color: failureColor,
          value: formatNumber(failures),
          isPressed: isFailed,
          title: t('Show failed requests only'),
          onToggle: () =>
            apply({ ...filters, type: isFailed ? logType.all : logType.failure, reason: '', status: 0, before: '' }),
        },
      ]}
    >
      {counted_from > 0 && <span>{t('Counted since {time}', { time: formatTime(counted_from) })}</span>}
      {children}
    </ChartLegend>
  );
  return (
    <LazyChart
      label={summary}
      series={series}
      points={points}
      unit={countUnit}
      height={plotHeight}
      legend={legend}
      onZoom={(first, last) =>
        apply({ ...filters, start: from + first * step, end: Math.min(from + (last + 1) * step - 1, to), before: '' })
      }
    />
  );
}

/** A point for each period, also for those without requests. */
function pointsOf({ from, to, step, bars }: Omit<LogHistogram, 'counted_from'>, t: Translate) {
  const byTime = new Map(bars.map((bar) => [bar.time, bar]));
  const count = Math.max(Math.ceil((to - from + 1) / step), 1);
  return {
    series: [
      { name: 'failed', label: t('Failed'), color: failureColor },
      { name: 'succeeded', label: t('Succeeded'), color: mainColor },
    ],
    points: Array.from({ length: count }, (_, index) => {
      const time = from + index * step;
      const { rows, failures } = byTime.get(time) ?? { rows: 0, failures: 0 };
      return { time, label: periodText(time, Math.min(time + step, to + 1)), values: [failures, rows - failures] };
    }),
  };
}

const daySeconds = 86_400;

function periodText(start: number, end: number): string {
  const [first, last] = [formatTime(start), formatTime(end - 1)];
  if (end - start < daySeconds) return `${first.slice(0, -3)} – ${formatTime(end).slice(11, 16)}`;
  return first.slice(0, 10) === last.slice(0, 10) ? first.slice(0, 10) : `${first.slice(0, 10)} – ${last.slice(0, 10)}`;
}

const titles: Readonly<Record<LogFacetField, TextKey>> = {
  status: 'Status',
  reason: 'Error',
  model_name: 'Model',
  channel: 'Channel',
  username: 'User',
  token_name: 'Token',
};

/** The most frequent values by filter. Selecting one filters by it, selecting it again removes the filter. */
function Facets({ control, scope }: LogOverviewProps) {
  const { t } = useTranslation();
  // Facets are loaded when a menu is first opened.
  const [isWanted, setWanted] = useState(false);
  const { data } = useQuery({ ...facetsQuery(scope), enabled: isWanted });
  const fields = (Object.keys(titles) as LogFacetField[]).filter(
    (field) => scope.isAdmin || (field !== 'channel' && field !== 'username'),
  );
  return (
    <fieldset className={styles['facets']} aria-label={t('Filter by value')}>
      {fields.map((field) => (
        <Menu key={field} shadow="md" position="bottom-start" withinPortal onOpen={() => setWanted(true)}>
          <Menu.Target>
            <UnstyledButton
              className={styles['facet'] ?? ''}
              data-set={isSet(control.filters, field) || undefined}
              onPointerEnter={() => setWanted(true)}
            >
              {t(titles[field])} <IconChevronDown size={14} stroke={1.6} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown className={styles['values'] ?? ''}>
            <FacetValues field={field} facets={data} control={control} />
          </Menu.Dropdown>
        </Menu>
      ))}
    </fieldset>
  );
}

interface FacetValuesProps {
  readonly field: LogFacetField;
  readonly facets: LogFacets | undefined;
  readonly control: LogFilterControl;
}

function FacetValues({ field, facets, control: { filters, apply } }: FacetValuesProps) {
  const { t } = useTranslation();
  const reasonLabel = useReasonLabel();
  const values = facets?.values.filter((each) => each.field === field) ?? [];
  const nameOf = (value: string, name: string): string => {
    if (field === 'reason') return reasonLabel(value);
    if (field === 'channel') return name || `#${value}`;
    return field === 'status' && value === String(successStatus) ? t('Succeeded') : value;
  };
  return (
    <>
      {values.map(({ value, name, rows }) => {
        const isChosen = String(filters[field]) === value;
        return (
          <Menu.Item
            key={value}
            leftSection={isChosen ? <IconCheck size={14} aria-hidden /> : <span className={styles['unchosen']} />}
            rightSection={<span className={styles['count']}>{formatNumber(rows)}</span>}
            onClick={() => apply(chosen(filters, field, isChosen ? '' : value))}
          >
            {nameOf(value, name)}
          </Menu.Item>
        );
      })}
      {values.length === 0 && (
        <Text size="sm" c="dimmed" px="sm" py={4}>
          {facets ? t('No values') : t('Counting…')}
        </Text>
      )}
      {facets?.is_more && values.length > 0 && (
        <Text size="xs" c="dimmed" px="sm" py={4}>
          {t('In the newest {count} logs', { count: formatNumber(facets.counted) })}
        </Text>
      )}
    </>
  );
}

const isSet = (filters: LogFilters, field: LogFacetField): boolean => Boolean(filters[field]);

function chosen(filters: LogFilters, field: LogFacetField, value: string): LogFilters {
  const isNumber = field === 'status' || field === 'channel';
  const contains = filters.contains
    .split(',')
    .filter((name) => name !== field)
    .join();
  const type = field === 'status' || field === 'reason' ? logType.all : filters.type;
  return { ...filters, type, contains, [field]: isNumber ? Number(value) : value, before: '' };
}
