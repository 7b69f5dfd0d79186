import { endUserTag, type Log, logType } from '@headgate/contract';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useStatus } from '../../lib/page/status.ts';
import { CostBreakdown } from './cost-breakdown.tsx';
import styles from './log.module.css';
import { chargeOf } from './log-charge.ts';
import { costDecimals, type LogDetail, readDetail } from './log-detail.ts';
import drawer from './log-drawer.module.css';
import { RoutingNotes } from './log-routing.tsx';
import { useLogSummary } from './log-summary.ts';
import { LogTimeline } from './log-timeline.tsx';
import { NoPayload, RequestId, StoredPayloads } from './receipt-payload.tsx';
import { DetailList, Section } from './receipt-section.tsx';

export interface LogReceiptProps {
  readonly log: Log;
  readonly isAdmin: boolean;
  /** Opens the payloads. */
  readonly onShowPayloads: () => void;
}

/** Full details of a log: outcome, cost, tokens, limits and rules, payloads and ids. */
export function LogReceipt({ log, isAdmin, onShowPayloads }: LogReceiptProps) {
  const { t } = useTranslation();
  const sentence = useLogSummary()(log);
  const detail = readDetail(log);
  const isRequest = log.type === logType.consumption || log.type === logType.failure;
  const { extensions } = useStatus();
  return (
    <Stack gap="lg">
      {sentence && !isRequest && <Text className={styles['whole'] ?? ''}>{sentence}</Text>}
      {detail.list.length > 0 && (
        <Section title={t('Changes')}>
          <ul className={drawer['changes']}>
            {detail.list.map((change, index) => (
              <li key={String(index)}>{change}</li>
            ))}
          </ul>
        </Section>
      )}
      {isRequest && <RequestSections log={log} detail={detail} isAdmin={isAdmin} />}
      {detail.bodies_until !== undefined ? (
        <StoredPayloads until={detail.bodies_until} onShow={onShowPayloads} />
      ) : (
        isRequest && extensions && <NoPayload />
      )}
      <Facts log={log} detail={detail} isAdmin={isAdmin} />
      {log.request_id && isRequest && <RequestId id={log.request_id} />}
    </Stack>
  );
}

function RequestSections({ log, detail, isAdmin }: PartProps) {
  const { t } = useTranslation();
  const sentence = useLogSummary()(log);
  const charge = chargeOf(log, detail);
  const isConsumption = log.type === logType.consumption;
  return (
    <>
      <Section title={t('Timeline')}>
        {isConsumption && sentence && (
          <Text c="dimmed" className={styles['whole'] ?? ''} mb="xs">
            {sentence}
          </Text>
        )}
        <LogTimeline log={log} detail={detail} isAdmin={isAdmin} />
      </Section>
      {charge && (
        <Section title={t('Cost')}>
          <CostBreakdown charge={charge} quota={log.quota} />
          {isAdmin && isConsumption && <Margin quota={log.quota} cost={log.cost} />}
        </Section>
      )}
      <Tokens log={log} detail={detail} />
      <Routing log={log} detail={detail} isAdmin={isAdmin} />
    </>
  );
}

/** The operator's cost and the margin. Unknown for channels without purchase prices. */
function Margin({ quota, cost }: Pick<Log, 'quota' | 'cost'>) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const share = quota === 0 ? '' : ` (${formatNumber(Math.round((1000 * (quota - cost)) / quota) / 10)}%)`;
  return (
    <dl className={styles['sum']}>
      <dt>{t('Our cost')}</dt>
      <dd>{cost === 0 ? t('Unknown') : format(cost, costDecimals)}</dd>
      {cost > 0 && (
        <>
          <dt>{t('Margin')}</dt>
          <dd>
            {format(quota - cost, costDecimals)}
            {share}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Tokens by kind. */
function Tokens({ log, detail }: { readonly log: Log; readonly detail: LogDetail }) {
  const { t } = useTranslation();
  if (log.prompt_tokens + log.completion_tokens === 0) return null;
  const count = (tokens: number | undefined) => (tokens ? formatNumber(tokens) : '');
  return (
    <Section title={t('Token counts')}>
      <DetailList
        facts={[
          [t('Prompt'), formatNumber(log.prompt_tokens)],
          [t('Cache read'), count(log.cached_tokens)],
          [t('Cache write'), count(log.cache_write_tokens)],
          [t('Audio input'), count(detail.audio_tokens)],
          [t('Image input'), count(detail.image_tokens)],
          [t('Completion'), formatNumber(log.completion_tokens)],
          [t('Reasoning'), count(log.reasoning_tokens)],
          [t('Audio output'), count(detail.audio_completion_tokens)],
          [t('Image output'), count(detail.image_completion_tokens)],
        ]}
      />
      <Counting detail={detail} />
    </Section>
  );
}

interface PartProps {
  readonly log: Log;
  readonly detail: LogDetail;
  readonly isAdmin: boolean;
}

/** Limits, channel rules, models and formats applied to the request. */
function Routing({ log, detail, isAdmin }: PartProps) {
  const { t } = useTranslation();
  const { limits } = detail;
  const isOther = detail.upstream_model !== '' && detail.upstream_model !== log.model_name;
  const notes = [
    limits.length > 0 && isAdmin,
    isOther,
    dialectNames.has(detail.dialect),
    detail.asked_model,
    detail.not_retried,
    detail.rules.length > 0,
    detail.hedges.length > 0,
  ];
  if (!notes.some(Boolean)) return null;
  return (
    <Section title={t('Limits and rules')}>
      {limits.length > 0 && isAdmin && (
        <Text c="dimmed" className={styles['whole'] ?? ''}>
          {t('Counted toward limits:')}{' '}
          {limits.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ', '}
              <Anchor component={Link} to={`/limit/edit/${id}`} inherit>
                #{id}
              </Anchor>
            </Fragment>
          ))}
        </Text>
      )}
      {isOther && (
        <Text className={styles['whole'] ?? ''}>{t('Upstream model: {model}', { model: detail.upstream_model })}</Text>
      )}
      {dialectNames.has(detail.dialect) && (
        <Text c="dimmed" className={styles['whole'] ?? ''}>
          {t('API format: {dialect}', { dialect: dialectNames.get(detail.dialect) ?? '' })}
        </Text>
      )}
      <RoutingNotes detail={detail} served={log.model_name} />
    </Section>
  );
}

function Facts({ log, detail, isAdmin }: PartProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (
    <Section title={t('Details')}>
      <DetailList
        facts={[
          [t('User'), isAdmin && log.username],
          [t('Token'), log.token_name],
          [t('Group'), log.group],
          [t('Service tier'), detail.served_tier],
          [t('Mirror of request'), detail.mirror_of],
          [t('Our cost'), isAdmin && detail.mirror_of !== '' && log.cost > 0 && format(log.cost, costDecimals)],
          [t('Peak and off-peak hours'), detail.clock_multiplier !== undefined && `× ${detail.clock_multiplier}`],
          [t('Channel'), isAdmin && log.channel !== 0 && (log.channel_name || `#${log.channel}`)],
          ...Object.entries(detail.request_tags).map(
            ([key, value]) => [key === endUserTag ? t('End user') : t('Tag: {key}', { key }), value] as const,
          ),
          [t('IP address'), isAdmin && detail.from],
          [t('Node'), log.node],
        ]}
      />
    </Section>
  );
}

/** Display names of API dialects. */
const dialectNames: ReadonlyMap<string, string> = new Map([
  ['anthropic-messages', 'Anthropic Messages'],
  ['openai-responses', 'OpenAI Responses'],
  ['gemini', 'Gemini'],
  ['ollama-chat', 'Ollama'],
  ['ollama-generate', 'Ollama'],
]);

/** How the tokens were counted, unless the provider reported them. */
function Counting({ detail: { counted, odd_usage } }: { readonly detail: LogDetail }) {
  const { t } = useTranslation();
  const lines = [
    odd_usage && t('Provider reported impossible usage: {usage}', { usage: odd_usage }),
    counted === 'tokenizer' && !odd_usage && t('Token counts computed by the gateway (not reported by the provider)'),
    counted === 'estimate' && t('Token counts estimated from text length'),
  ].filter((line) => typeof line === 'string' && line !== '');
  return lines.map((line) => (
    <Text key={String(line)} c="dimmed" className={styles['whole'] ?? ''}>
      {line}
    </Text>
  ));
}
