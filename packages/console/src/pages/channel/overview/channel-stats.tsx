import type { Channel, ChannelOverview, ChannelTrafficHour } from '@headgate/contract';
import { Anchor, Card, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { query } from '../../../lib/page/address.ts';
import { Sparkline, type SparklineBar } from '../../../ui/sparkline.tsx';
import { formatSeconds } from '../channel-facts.ts';
import styles from './overview.module.css';
import { formatFraction, marginShare, profitMargin, successRate } from './overview-stats.ts';

const chartHeight = 44;

interface StatsProps {
  readonly overview: ChannelOverview;
  readonly channel: Channel;
}

/** Metrics of the last 24 hours, each with a bar per hour. */
export function ChannelStats({ overview, channel }: StatsProps) {
  const { t, language } = useTranslation();
  const { total, hours } = overview;
  const hourText = (hour: number) =>
    new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(hour * 1000);
  const barsOf = (
    value: (hour: ChannelTrafficHour) => number | null,
    text: (value: number, hour: ChannelTrafficHour) => string,
    bad?: (hour: ChannelTrafficHour) => number,
  ): SparklineBar[] =>
    hours.map((hour) => {
      const amount = value(hour);
      const words = amount === null ? t('No data') : text(amount, hour);
      return { value: amount, title: `${hourText(hour.hour)} · ${words}`, ...(bad && { bad: bad(hour) }) };
    });
  return (
    <section aria-label={t('Last 24 hours')}>
      <Text size="sm" c="dimmed" mb={6}>
        {t('Last 24 hours, by hour')}
      </Text>
      <div className={styles['figures']}>
        <Requests overview={overview} channel={channel} barsOf={barsOf} />
        <Latencies total={total} barsOf={barsOf} />
        <Money overview={overview} channel={channel} barsOf={barsOf} />
      </div>
    </section>
  );
}

interface PartProps {
  readonly barsOf: (
    value: (hour: ChannelTrafficHour) => number | null,
    text: (value: number, hour: ChannelTrafficHour) => string,
    bad?: (hour: ChannelTrafficHour) => number,
  ) => SparklineBar[];
}

function Requests({ overview: { total }, channel, barsOf }: StatsProps & PartProps) {
  const { t } = useTranslation();
  const countText = (count: number) => t('{count} requests', { count: formatNumber(count) });
  const failedText = (count: number) => t('{count} failed', { count: formatNumber(count) });
  const rate = successRate(total);
  return (
    <>
      <Figure
        name={t('Requests')}
        value={
          <Anchor component={Link} to="/log" search={query({ channel: channel.id })} inherit c="inherit">
            {formatNumber(total.requests)}
          </Anchor>
        }
        note={total.failures > 0 ? failedText(total.failures) : undefined}
        bars={barsOf(
          ({ requests }) => requests,
          (count, { failures }) => [countText(count), failures > 0 && failedText(failures)].filter(Boolean).join(', '),
          ({ failures }) => failures,
        )}
      />
      <Figure
        name={t('Success rate')}
        value={rate === null ? '–' : formatFraction(rate)}
        isBad={rate !== null && rate < goodRate}
        bars={barsOf(
          (hour) => (hour.requests === 0 ? null : 1),
          (_, hour) => formatFraction(successRate(hour) ?? 1),
          (hour) => 1 - (successRate(hour) ?? 1),
        )}
        max={1}
      />
    </>
  );
}

const goodRate = 0.95;

function Latencies({ total, barsOf }: PartProps & Pick<ChannelOverview, 'total'>) {
  const { t } = useTranslation();
  const known = (ms: number) => (ms === 0 ? null : ms);
  const text = (ms: number) => (ms === 0 ? '–' : formatSeconds(ms / 1000));
  return (
    <>
      <Figure
        name={t('Latency p95')}
        value={text(total.elapsed_p95)}
        note={total.elapsed_p50 > 0 ? `p50 ${text(total.elapsed_p50)}` : undefined}
        bars={barsOf(
          ({ elapsed_p95 }) => known(elapsed_p95),
          (ms, { elapsed_p50 }) => `${text(ms)} (p50 ${text(elapsed_p50)})`,
        )}
      />
      <Figure
        name={t('First byte p50')}
        value={text(total.first_byte_p50)}
        bars={barsOf(({ first_byte_p50 }) => known(first_byte_p50), text)}
      />
    </>
  );
}

function Money({ overview: { total }, channel, barsOf }: StatsProps & PartProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const margin = profitMargin(total);
  const share = marginShare(total);
  const unknown =
    total.uncosted_quota > 0 ? t('Cost unknown for {amount}', { amount: format(total.uncosted_quota) }) : undefined;
  return (
    <>
      <Figure
        name={t('Cost')}
        value={total.quota > 0 && total.uncosted_quota === total.quota ? t('Unknown') : format(total.cost)}
        note={unknown}
        bars={barsOf(
          ({ cost }) => cost,
          (cost) => format(cost),
        )}
      />
      <Figure
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
        bars={barsOf(profitMargin, (value) => format(value))}
      />
    </>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: string | undefined;
  readonly isBad?: boolean;
  readonly bars: readonly SparklineBar[];
  readonly max?: number;
}

function Figure({ name, value, note, isBad = false, bars, max }: FigureProps) {
  const { t } = useTranslation();
  return (
    <Card withBorder padding="sm" className={styles['figure'] ?? ''}>
      <Text c="dimmed" size="sm">
        {name}
      </Text>
      <div className={styles['value']} data-bad={isBad || undefined}>
        <span className={styles['amount']}>{value}</span>
        {note && <span className={styles['note']}>{note}</span>}
      </div>
      <Sparkline
        bars={bars}
        height={chartHeight}
        label={t('{name}, last 24 hours', { name })}
        {...(max !== undefined && { max })}
      />
    </Card>
  );
}
