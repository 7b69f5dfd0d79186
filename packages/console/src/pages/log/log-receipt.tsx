import { type Log, logEnders } from '@headgate/contract';
import { ActionIcon, Code, Divider, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useWords } from '../../i18n/translate.ts';
import { copyAndTell } from '../../ui/copy-and-tell.ts';
import styles from './log.module.css';
import { Attempts } from './log-attempts.tsx';
import { chargeOf } from './log-charge.ts';
import { type LogDetail, readDetail } from './log-detail.ts';
import { RoutingNotes } from './log-routing.tsx';
import { useLogSentence } from './log-sentence.ts';
import { LogSum } from './log-sum.tsx';

export interface LogReceiptProps {
  readonly log: Log;
  readonly isAdmin: boolean;
}

/** Everything a row knows: the sum that was charged, the channels that were tried, and the request's id. */
export function LogReceipt({ log, isAdmin }: LogReceiptProps) {
  const { t, label } = useWords();
  const sentence = useLogSentence()(log);
  const detail = readDetail(log);
  const charge = chargeOf(log, detail);
  return (
    <Stack gap="xs">
      {log.ended_by && <Text className={styles['whole'] ?? ''}>{label(logEnders[log.ended_by].label)}</Text>}
      {sentence && (
        <Text c="dimmed" className={styles['whole'] ?? ''}>
          {sentence}
        </Text>
      )}
      {charge && <LogSum charge={charge} quota={log.quota} />}
      {detail.upstream_model && detail.upstream_model !== log.model_name && (
        <Text className={styles['whole'] ?? ''}>{t('Answered by {model}', { model: detail.upstream_model })}</Text>
      )}
      {dialectNames.has(detail.dialect) && (
        <Text c="dimmed">{t('Asked in {dialect}', { dialect: dialectNames.get(detail.dialect) ?? '' })}</Text>
      )}
      <RoutingNotes detail={detail} served={log.model_name} />
      <ServedBy node={log.node} />
      <Counting detail={detail} />
      {detail.attempts.length > 0 && <Attempts attempts={detail.attempts} isAdmin={isAdmin} />}
      {log.request_id && <RequestId id={log.request_id} />}
    </Stack>
  );
}

/** The names of dialects, as their makers call them. */
const dialectNames: ReadonlyMap<string, string> = new Map([
  ['anthropic-messages', 'Anthropic Messages'],
  ['openai-responses', 'OpenAI Responses'],
  ['gemini', 'Gemini'],
  ['ollama-chat', 'Ollama'],
  ['ollama-generate', 'Ollama'],
]);

/** Told to admins, where there are several nodes. */
function ServedBy({ node }: { readonly node: string }) {
  const { t } = useWords();
  return node === '' ? null : (
    <Text c="dimmed" className={styles['whole'] ?? ''}>
      {t('Served by {node}', { node })}
    </Text>
  );
}

/** Who counted the tokens, where the provider's word was not enough. */
function Counting({ detail: { counted, odd_usage } }: { readonly detail: LogDetail }) {
  const { t } = useWords();
  const lines = [
    odd_usage && t('The provider told what cannot be: {usage}', { usage: odd_usage }),
    counted === 'tokenizer' && !odd_usage && t('Tokens counted here: the provider told none'),
    counted === 'estimate' && t('Tokens estimated by the length of the text'),
  ].filter((line) => typeof line === 'string' && line !== '');
  return lines.map((line) => (
    <Text key={String(line)} c="dimmed" className={styles['whole'] ?? ''}>
      {line}
    </Text>
  ));
}

function RequestId({ id }: { readonly id: string }) {
  const { t } = useWords();
  const copyWords = t('Copy request ID');
  return (
    <>
      <Divider label={t('Request ID')} labelPosition="left" />
      <Group gap={4} wrap="nowrap">
        <Code className={styles['whole'] ?? ''}>{id}</Code>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={copyWords}
          title={copyWords}
          onClick={() => void copyAndTell(id)}
        >
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
    </>
  );
}
