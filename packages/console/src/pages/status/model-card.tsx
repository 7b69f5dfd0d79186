import type { ModelStatus, PublicStatus } from '@headgate/contract';
import { Paper, Text, Tooltip } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { Dot } from '../../ui/status-dot.tsx';
import { type Availability, availabilityOf, currentAvailability, formatPercent, worstIndex } from './availability.ts';
import styles from './status.module.css';

const hourSeconds = 3600;
const daySeconds = 86_400;

const colors = { good: 'green', poor: 'yellow', bad: 'red', none: 'gray' } as const satisfies Record<
  Availability,
  string
>;

interface ModelCardProps {
  readonly model: ModelStatus;
  readonly status: Pick<PublicStatus, 'first_hour' | 'first_day'>;
}

/** Status of a model, with a bar for each hour and day. */
export function ModelCard({ model, status }: ModelCardProps) {
  const { t } = useTranslation();
  const availability = currentAvailability(model);
  const labels = {
    good: t('Operational'),
    poor: t('Degraded'),
    bad: t('Degraded'),
    none: t('No recent requests'),
  } as const satisfies Record<Availability, string>;
  const hourOf = (index: number) => formatTime(status.first_hour + index * hourSeconds).slice(0, -3);
  // Days are in UTC, independent of the local time zone.
  const dayOf = (index: number) => new Date((status.first_day + index * daySeconds) * 1000).toISOString().slice(0, 10);
  return (
    <Paper withBorder component="li" className={styles['model'] ?? ''}>
      <div className={styles['head']}>
        <span className={styles['name']}>{model.model}</span>
        <Dot color={colors[availability]} text={labels[availability]} />
      </div>
      <Span title={t('Last 24 hours')} span={model.day}>
        <Bars title={t('Last 24 hours')} shares={model.hours} whole={model.day.availability} nameOf={hourOf} />
      </Span>
      <Span title={t('Last 90 days')} span={model.quarter}>
        <Bars title={t('Last 90 days')} shares={model.days} whole={model.quarter.availability} nameOf={dayOf} />
      </Span>
    </Paper>
  );
}

interface SpanProps {
  readonly title: string;
  readonly span: ModelStatus['day'];
  readonly children: ReactNode;
}

function Span({ title, span: { availability, latency, first_byte }, children }: SpanProps) {
  const { t } = useTranslation();
  const duration = (ms: number) =>
    ms < 1000 ? t('{n} ms', { n: Math.round(ms) }) : t('{n} s', { n: (ms / 1000).toFixed(ms < 10_000 ? 2 : 0) });
  const facts = [
    availability === null ? t('no requests') : t('{share} available', { share: formatPercent(availability) }),
    latency !== null && t('median {time}', { time: duration(latency) }),
    first_byte !== null && t('first byte {time}', { time: duration(first_byte) }),
  ].filter(Boolean);
  return (
    <div className={styles['span']}>
      <div className={styles['facts']}>
        <Text size="sm" fw={500} component="span">
          {title}
        </Text>
        <Text size="sm" c="dimmed" component="span" title={facts.join(' · ')}>
          {facts.join(' · ')}
        </Text>
      </div>
      {children}
    </div>
  );
}

interface BarsProps {
  readonly title: string;
  readonly shares: readonly (number | null)[];
  readonly whole: number | null;
  readonly nameOf: (index: number) => string;
}

/** Bars with one tooltip that follows the pointer or the arrow keys, and a single sentence for screen readers. */
function Bars({ title, shares, whole, nameOf }: BarsProps) {
  const { t } = useTranslation();
  const worst = worstIndex(shares);
  const summary =
    worst === undefined || whole === null
      ? t('{span}: no requests', { span: title })
      : t('{span}: {share} available, lowest {worst} ({when}); {n} of {all} without requests', {
          span: title,
          share: formatPercent(whole),
          worst: formatPercent(shares[worst] ?? 0),
          when: nameOf(worst),
          n: shares.filter((share) => share === null).length,
          all: shares.length,
        });
  const last = shares.length - 1;
  const [pointed, setPointed] = useState(last);
  const [isFocused, setFocused] = useState(false);
  const share = shares[pointed] ?? null;
  const text = `${nameOf(pointed)}: ${share === null ? t('no requests') : t('{share} available', { share: formatPercent(share) })}`;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: Math.max(pointed - 1, 0),
    ArrowRight: Math.min(pointed + 1, last),
    Home: 0,
    End: last,
  };
  const move = (event: KeyboardEvent) => {
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setPointed(next);
  };
  return (
    <>
      <Tooltip label={text} opened={isFocused}>
        <Tooltip.Floating label={text} disabled={isFocused}>
          <div
            className={styles['bars']}
            role="slider"
            tabIndex={0}
            aria-label={summary}
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={pointed}
            aria-valuetext={text}
            onMouseMove={({ target }) => setPointed(Number((target as HTMLElement).dataset['index'] ?? pointed))}
            onFocus={({ currentTarget }) => setFocused(currentTarget.matches(':focus-visible'))}
            onBlur={() => setFocused(false)}
            onKeyDown={move}
          >
            {shares.map((each, index) => (
              <span
                key={nameOf(index)}
                data-index={index}
                data-standing={availabilityOf(each)}
                data-pointed={(isFocused && index === pointed) || undefined}
              />
            ))}
          </div>
        </Tooltip.Floating>
      </Tooltip>
      <div className={styles['axis']} aria-hidden>
        <span>{nameOf(0)}</span>
        <span>{nameOf(last)}</span>
      </div>
    </>
  );
}
