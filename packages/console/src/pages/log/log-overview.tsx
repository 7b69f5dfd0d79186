import { type LogFacetField, type LogFacets, type LogHistogram, logType, successStatus } from '@headgate/contract';
import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, type ReactNode, useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import type { LogFilterControl } from './log-filter-state.ts';
import type { LogFilters } from './log-filters.ts';
import styles from './log-overview.module.css';
import { facetsQuery, histogramQuery, type LogScope } from './log-queries.ts';
import { LogRangeShortcuts } from './log-range.tsx';
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

/** Requests and failures over time. Dragging sets the range; the field for the range does the same by keyboard. */
function Histogram({ histogram, control: { filters, apply }, children }: HistogramProps) {
  const { t } = useTranslation();
  const { from, to, step, bars, counted_from } = histogram;
  const count = Math.max(Math.ceil((to - from + 1) / step), 1);
  const byTime = new Map(bars.map((bar) => [bar.time, bar]));
  const all = Array.from(
    { length: count },
    (_, index) => byTime.get(from + index * step) ?? { time: from + index * step, rows: 0, failures: 0 },
  );
  const most = Math.max(...all.map(({ rows }) => rows), 1);
  const sum = (of: 'rows' | 'failures') => all.reduce((total, bar) => total + bar[of], 0);
  const drag = useDrag(count, (first, last) =>
    apply({ ...filters, start: from + first * step, end: Math.min(from + (last + 1) * step - 1, to), before: '' }),
  );
  const isFailures = filters.type === logType.failure;
  const summary = t('{requests} requests, {failures} failed, from {from} to {to}', {
    requests: formatNumber(sum('rows')),
    failures: formatNumber(sum('failures')),
    from: formatTime(from),
    to: formatTime(to),
  });
  return (
    <div>
      <div className={styles['legend']}>
        <span>
          <i className={styles['requests']} aria-hidden /> {t('Requests')} <b>{formatNumber(sum('rows'))}</b>
        </span>
        <UnstyledButton
          className={styles['failed'] ?? ''}
          aria-pressed={isFailures}
          title={t('Show failed requests only')}
          onClick={() =>
            apply({ ...filters, type: isFailures ? logType.all : logType.failure, reason: '', before: '' })
          }
        >
          <i className={styles['failures']} aria-hidden /> {t('Failed')} <b>{formatNumber(sum('failures'))}</b>
        </UnstyledButton>
        {counted_from > 0 && <span>{t('Counted since {time}', { time: formatTime(counted_from) })}</span>}
        {children}
      </div>
      <div className={styles['chart']} role="img" aria-label={summary} {...drag.handlers}>
        {all.map(({ time, rows, failures }, index) => (
          <div
            key={time}
            className={styles['slot']}
            data-chosen={drag.isChosen(index) || undefined}
            title={`${formatTime(time)} · ${t('{requests} requests, {failures} failed', {
              requests: formatNumber(rows),
              failures: formatNumber(failures),
            })}`}
          >
            <div className={styles['bar']} style={{ height: heightOf(rows, most) }}>
              <div className={styles['failures']} style={{ height: rows === 0 ? 0 : `${(100 * failures) / rows}%` }} />
            </div>
          </div>
        ))}
      </div>
      <div className={styles['axis']} aria-hidden>
        <span>{formatTime(from).slice(0, 16)}</span>
        <span>{formatTime(to).slice(0, 16)}</span>
      </div>
    </div>
  );
}

/** At least 2 px, so that a few requests stay visible next to many. */
const heightOf = (rows: number, most: number): string => (rows === 0 ? '0' : `max(2px, ${(100 * rows) / most}%)`);

interface Dragged {
  readonly from: number;
  readonly to: number;
}

/** Selects bars by dragging; a click selects one. */
function useDrag(count: number, onEnd: (first: number, last: number) => void) {
  const [dragged, setDragged] = useState<Dragged>();
  const indexAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = width === 0 ? 0 : (event.clientX - left) / width;
    return Math.min(Math.max(Math.floor(share * count), 0), count - 1);
  };
  const bounds = dragged && ([Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to)] as const);
  return {
    isChosen: (index: number) => bounds !== undefined && index >= bounds[0] && index <= bounds[1],
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        const at = indexAt(event);
        setDragged({ from: at, to: at });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => dragged && setDragged({ ...dragged, to: indexAt(event) }),
      onPointerUp: () => {
        if (bounds) onEnd(...bounds);
        setDragged(undefined);
      },
      onPointerCancel: () => setDragged(undefined),
    },
  };
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
