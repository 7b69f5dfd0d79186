import type { Channel, ChannelOverview, ChannelTrafficHour } from '@headgate/contract';
import { Anchor, Card, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { query } from '../../../lib/page/address.ts';
import { failureColor, mainColor, seriesColor } from '../../../ui/chart/chart-colors.ts';
import type { ChartKind, ChartSeries } from '../../../ui/chart/chart-data.ts';
import type { ChartCrosshair } from '../../../ui/chart/chart-pointer.ts';
import { type ChartUnit, countUnit, durationUnit, percentUnit, useMoneyUnit } from '../../../ui/chart/chart-units.ts';
import { LazyChart } from '../../../ui/chart/lazy-chart.tsx';
import { formatSeconds } from '../channel-facts.ts';
import styles from './overview.module.css';
import { formatFraction, marginShare, profitMargin, successRate } from './overview-stats.ts';

const plotHeight = 72;

interface StatsProps {
  readonly overview: ChannelOverview;
  readonly channel: Channel;
}

/** Metrics of the last 24 hours, each with an hourly chart. The charts share a crosshair. */
export function ChannelStats({ overview, channel }: StatsProps) {
  const { t } = useTranslation();
  const crosshair = useState<number>();
  const charted = { hours: overview.hours, crosshair };
  return (
    <section aria-label={t('Last 24 hours')}>
      <Text size="sm" c="dimmed" mb={6}>
        {t('Last 24 hours, by hour')}
      </Text>
      <div className={styles['figures']}>
        <Requests overview={overview} channel={channel} charted={charted} />
        <Latencies total={overview.total} charted={charted} />
        <Money overview={overview} channel={channel} charted={charted} />
      </div>
    </section>
  );
}

interface Charted {
  readonly hours: readonly ChannelTrafficHour[];
  readonly crosshair: ChartCrosshair;
}

interface PartProps {
  readonly charted: Charted;
}

function Requests({ overview: { total }, channel, charted }: StatsProps & PartProps) {
  const { t } = useTranslation();
  const rate = successRate(total);
  return (
    <>
      <Figure
        {...charted}
        name={t('Requests')}
        value={
          <Anchor component={Link} to="/log" search={query({ channel: channel.id })} inherit c="inherit">
            {formatNumber(total.requests)}
          </Anchor>
        }
        note={total.failures > 0 ? t('{count} failed', { count: formatNumber(total.failures) }) : undefined}
        unit={countUnit}
        lines={[
          { label: t('Failed'), color: failureColor, read: ({ failures }) => failures },
          { label: t('Succeeded'), color: mainColor, read: ({ requests, failures }) => requests - failures },
        ]}
      />
      <Figure
        {...charted}
        name={t('Success rate')}
        value={rate === null ? '–' : formatFraction(rate)}
        isBad={rate !== null && rate < goodRate}
        unit={percentUnit}
        kind="lines"
        lines={[{ label: t('Success rate'), color: mainColor, read: successRate }]}
      />
    </>
  );
}

const goodRate = 0.95;

function Latencies({ total, charted }: PartProps & Pick<ChannelOverview, 'total'>) {
  const { t } = useTranslation();
  const known = (ms: number) => (ms === 0 ? null : ms);
  const text = (ms: number) => (ms === 0 ? '–' : formatSeconds(ms / 1000));
  const longest = Math.max(...charted.hours.map(({ elapsed_p95 }) => elapsed_p95), 0);
  const longestFirst = Math.max(...charted.hours.map(({ first_byte_p50 }) => first_byte_p50), 0);
  return (
    <>
      <Figure
        {...charted}
        name={t('Latency p95')}
        value={text(total.elapsed_p95)}
        note={total.elapsed_p50 > 0 ? `p50 ${text(total.elapsed_p50)}` : undefined}
        unit={durationUnit(longest)}
        kind="lines"
        lines={[
          { label: 'p95', color: mainColor, read: ({ elapsed_p95 }) => known(elapsed_p95) },
          { label: 'p50', color: seriesColor(1), read: ({ elapsed_p50 }) => known(elapsed_p50) },
        ]}
      />
      <Figure
        {...charted}
        name={t('First byte p50')}
        value={text(total.first_byte_p50)}
        unit={durationUnit(longestFirst)}
        kind="lines"
        lines={[{ label: 'p50', color: mainColor, read: ({ first_byte_p50 }) => known(first_byte_p50) }]}
      />
    </>
  );
}

function Money({ overview: { total }, channel, charted }: StatsProps & PartProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const unit = useMoneyUnit();
  const margin = profitMargin(total);
  const share = marginShare(total);
  const unknown =
    total.uncosted_quota > 0 ? t('Cost unknown for {amount}', { amount: format(total.uncosted_quota) }) : undefined;
  return (
    <>
      <Figure
        {...charted}
        name={t('Cost')}
        value={total.quota > 0 && total.uncosted_quota === total.quota ? t('Unknown') : format(total.cost)}
        note={unknown}
        unit={unit}
        lines={[{ label: t('Cost'), color: mainColor, read: ({ cost }) => cost }]}
      />
      <Figure
        {...charted}
        name={t('Margin')}
        value={
          <Anchor
            component={Link}
            to="/usage"
            search={query({ channel: channel.id, rows: 'model', columns: 'none', measure: 'margin', range: '24h' })}
            inherit
            c="inherit"
          >
            {margin === null ? '–' : format(margin)}
          </Anchor>
        }
        note={share === null ? undefined : formatFraction(share)}
        isBad={margin !== null && margin < 0}
        unit={unit}
        lines={[{ label: t('Margin'), color: mainColor, read: profitMargin }]}
      />
    </>
  );
}

interface FigureLine extends Omit<ChartSeries, 'name'> {
  read(hour: ChannelTrafficHour): number | null;
}

interface FigureProps extends Charted {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: string | undefined;
  readonly isBad?: boolean;
  readonly unit: ChartUnit;
  readonly kind?: ChartKind;
  readonly lines: readonly FigureLine[];
}

function Figure({ name, value, note, isBad = false, unit, kind = 'bars', lines, hours, crosshair }: FigureProps) {
  const { t, language } = useTranslation();
  const hourText = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const points = hours.map((hour) => ({
    time: hour.hour,
    label: hourText.format(hour.hour * 1000),
    values: lines.map(({ read }) => read(hour)),
  }));
  return (
    <Card withBorder padding="sm" className={styles['figure'] ?? ''}>
      <Text c="dimmed" size="sm">
        {name}
      </Text>
      <div className={styles['value']} data-bad={isBad || undefined}>
        <span className={styles['amount']}>{value}</span>
        {note && <span className={styles['note']}>{note}</span>}
      </div>
      <LazyChart
        label={t('{name}, last 24 hours', { name })}
        series={lines.map((line) => ({ ...line, name: line.label }))}
        points={points}
        unit={unit}
        kind={kind}
        height={plotHeight}
        crosshair={crosshair}
      />
    </Card>
  );
}
