import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import styles from './log.module.css';
import { formatElapsed, type LogDetail } from './log-detail.ts';

interface RoutingNotesProps {
  readonly detail: LogDetail;
  /** Model that served the request. */
  readonly served: string;
}

/** Routing details: fallback, hedging, skipped retries and channel rules. */
export function RoutingNotes({ detail: { asked_model, hedges, not_retried, rules }, served }: RoutingNotesProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const lines = [
    asked_model && t('Requested {requested}, served by {served}', { requested: asked_model, served }),
    ...hedges.map(({ channel, key, ms, cost }) =>
      [
        t('Hedged request to channel {id} canceled; cost about {cost}', { id: channel, cost: format(cost) }),
        key !== undefined && t('key {id}', { id: key }),
        ms !== undefined && t('took {time}', { time: formatElapsed(Math.round(ms)) }),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    not_retried === 'budget' && t('Not retried: retry budget exhausted'),
    rules.length > 0 && t('Channel rules applied: {names}', { names: rules.join(', ') }),
  ].filter((line) => typeof line === 'string' && line !== '');
  return lines.map((line) => (
    <Text key={String(line)} c="dimmed" className={styles['whole'] ?? ''}>
      {line}
    </Text>
  ));
}
