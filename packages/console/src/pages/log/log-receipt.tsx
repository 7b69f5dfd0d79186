import { type Log, logEndCauses } from '@headgate/contract';
import { ActionIcon, Button, Code, Divider, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { CostBreakdown } from './cost-breakdown.tsx';
import styles from './log.module.css';
import { Attempts } from './log-attempts.tsx';
import { chargeOf } from './log-charge.ts';
import { type LogDetail, readDetail } from './log-detail.ts';
import { RoutingNotes } from './log-routing.tsx';
import { useLogSentence } from './log-sentence.ts';

export interface LogReceiptProps {
  readonly log: Log;
  readonly isAdmin: boolean;
  /** Opens the payloads. */
  readonly onShowPayloads: () => void;
}

/** Full details of a row: cost breakdown, attempts and request id. */
export function LogReceipt({ log, isAdmin, onShowPayloads }: LogReceiptProps) {
  const { t, label } = useTranslation();
  const sentence = useLogSentence()(log);
  const detail = readDetail(log);
  const charge = chargeOf(log, detail);
  return (
    <Stack gap="xs">
      {log.ended_by && <Text className={styles['whole'] ?? ''}>{label(logEndCauses[log.ended_by].label)}</Text>}
      {sentence && (
        <Text c="dimmed" className={styles['whole'] ?? ''}>
          {sentence}
        </Text>
      )}
      {charge && <CostBreakdown charge={charge} quota={log.quota} />}
      {detail.upstream_model && detail.upstream_model !== log.model_name && (
        <Text className={styles['whole'] ?? ''}>{t('Upstream model: {model}', { model: detail.upstream_model })}</Text>
      )}
      {dialectNames.has(detail.dialect) && (
        <Text c="dimmed">{t('API format: {dialect}', { dialect: dialectNames.get(detail.dialect) ?? '' })}</Text>
      )}
      <RoutingNotes detail={detail} served={log.model_name} />
      <ServedBy node={log.node} />
      <Counting detail={detail} />
      {detail.attempts.length > 0 && <Attempts attempts={detail.attempts} isAdmin={isAdmin} />}
      {detail.bodies_until !== undefined && <StoredPayloads until={detail.bodies_until} onShow={onShowPayloads} />}
      {log.request_id && <RequestId id={log.request_id} />}
    </Stack>
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

/** Shown to admins if there are several nodes. */
function ServedBy({ node }: { readonly node: string }) {
  const { t } = useTranslation();
  return node === '' ? null : (
    <Text c="dimmed" className={styles['whole'] ?? ''}>
      {t('Served by {node}', { node })}
    </Text>
  );
}

/** How the tokens were counted, if not by the provider. */
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

/** Link to the stored payloads, or a note that they have expired. */
function StoredPayloads({ until, onShow }: { readonly until: number; readonly onShow: () => void }) {
  const { t } = useTranslation();
  const time = formatTime(until);
  const isOver = until * 1000 <= Date.now();
  return (
    <>
      <Divider label={t('Payload')} labelPosition="left" />
      {isOver ? (
        <Text c="dimmed">{t('Stored until {time}, now deleted', { time })}</Text>
      ) : (
        <Group justify="space-between" gap="xs">
          <Text c="dimmed">{t('Stored until {time}', { time })}</Text>
          <Button size="compact-sm" variant="default" onClick={onShow}>
            {t('Show')}
          </Button>
        </Group>
      )}
    </>
  );
}

function RequestId({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const copyLabel = t('Copy request ID');
  return (
    <>
      <Divider label={t('Request ID')} labelPosition="left" />
      <Group gap={4} wrap="nowrap">
        <Code className={styles['whole'] ?? ''}>{id}</Code>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={copyLabel}
          title={copyLabel}
          onClick={() => void copyWithMessage(id)}
        >
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
    </>
  );
}
