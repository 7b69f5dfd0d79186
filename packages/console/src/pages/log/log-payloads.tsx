import { type Log, payloadApi, type StoredPayload, type StoredPayloads } from '@headgate/contract';
import { ActionIcon, Alert, Box, Button, Group, Modal, Stack, Switch, Text, Title } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { call, callWithoutData } from '../../lib/api/call.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { useReauth } from '../../ui/reauth.tsx';
import styles from './log-payloads.module.css';

interface LogPayloadsProps {
  readonly log: Pick<Log, 'request_id'>;
  readonly isAdmin: boolean;
  /** Receives the payloads instead of displaying them. */
  readonly onRead?: ((payloads: StoredPayloads) => void) | undefined;
  readonly onClose: () => void;
}

/** Payloads of a request, read after a proof of identity. */
export function LogPayloads({ log: { request_id }, isAdmin, onRead, onClose }: LogPayloadsProps) {
  const { t } = useTranslation();
  const proof = useReauth({ isForReading: true, onCancelled: onClose });
  const read = useMutation({
    mutationFn: () => call(isAdmin ? payloadApi.read : payloadApi.readOwn, { body: { request_id } }),
    ...(onRead && { onSuccess: onRead }),
    onError: onClose,
  });
  const isRequested = useRef(false);
  useEffect(() => {
    // Loaded once, because each access is logged.
    if (isRequested.current) return;
    isRequested.current = true;
    proof.run(() => read.mutate());
  });
  return (
    <>
      {proof.dialog}
      {read.data && !onRead && (
        <Modal opened onClose={onClose} size="xl" title={t('Payload')}>
          <Payloads bodies={read.data} isAdmin={isAdmin} onForgotten={onClose} />
        </Modal>
      )}
    </>
  );
}

interface PayloadsProps {
  readonly bodies: StoredPayloads;
  readonly isAdmin: boolean;
  readonly onForgotten: () => void;
}

function Payloads({
  bodies: { request_id, expires_time, status, headers, request, answer },
  isAdmin,
  onForgotten,
}: PayloadsProps) {
  const { t } = useTranslation();
  const [isFormatted, setFormatted] = useState(true);
  const forget = useMutation({
    mutationFn: () =>
      callWithoutData(isAdmin ? payloadApi.forgetOne : payloadApi.forgetOneOwn, { params: { request_id } }),
    onSuccess: () => {
      showMessage('success', t('Operation completed successfully'));
      onForgotten();
    },
  });
  const ask = () =>
    openConfirmation({
      title: t('Delete the stored payload of this request?'),
      text: t('The log entry is kept.'),
      confirm: t('Delete'),
      onConfirm: () => forget.mutate(),
    });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('Stored until {time}', { time: formatTime(expires_time) })}
        </Text>
        <Group gap="md">
          <Switch
            size="xs"
            label={t('Formatted')}
            checked={isFormatted}
            onChange={(event) => setFormatted(event.currentTarget.checked)}
          />
          <Button size="compact-sm" variant="default" color="red" loading={forget.isPending} onClick={ask}>
            {t('Delete now')}
          </Button>
        </Group>
      </Group>
      <Headers headers={headers} />
      <Payload title={t('Request')} body={request} isFormatted={isFormatted} />
      <Payload
        title={status > 0 ? t('Response, status {status}', { status }) : t('Response')}
        body={answer}
        isFormatted={isFormatted}
      />
    </Stack>
  );
}

function Headers({ headers }: Pick<StoredPayloads, 'headers'>) {
  const { t } = useTranslation();
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <section aria-label={t('Request headers')}>
      <Title order={3} size="h5" mb={4}>
        {t('Request headers')}{' '}
        <Text span size="sm" c="dimmed" fw={400}>
          {t('without credentials')}
        </Text>
      </Title>
      <Box component="pre" className={styles['text'] ?? ''} tabIndex={0} role="group" aria-label={t('Request headers')}>
        {entries.map(([name, value]) => `${name}: ${value}`).join('\n')}
      </Box>
    </section>
  );
}

interface PayloadProps {
  readonly title: string;
  readonly body: StoredPayload;
  readonly isFormatted: boolean;
}

function Payload({ title, body: { text, is_text, bytes, is_cut }, isFormatted }: PayloadProps) {
  const { t } = useTranslation();
  const copyLabel = `${t('Copy')}: ${title}`;
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Title order={3} size="h5">
          {title}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {t('{count} bytes', { count: formatNumber(bytes) })}
            {!is_text && ` · ${t('not text, shown as base64')}`}
          </Text>
        </Title>
        {text !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={copyLabel}
            title={copyLabel}
            onClick={() => void copyWithMessage(text)}
          >
            <IconCopy size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {text === '' ? (
        <Text c="dimmed">{t('Empty')}</Text>
      ) : (
        // Focusable, because the content may scroll.
        <Box
          component="pre"
          className={styles['text'] ?? ''}
          tabIndex={0}
          role="group"
          aria-label={title}
          translate="no"
        >
          {isFormatted ? formatted(text) : text}
        </Box>
      )}
      {is_cut && (
        <Alert color="orange" mt={4} p="xs">
          {t('Truncated: first {kept} of {all} bytes stored', {
            kept: formatNumber(storedBytes(text, is_text)),
            all: formatNumber(bytes),
          })}
        </Alert>
      )}
    </section>
  );
}

const storedBytes = (text: string, isText: boolean): number =>
  isText ? new TextEncoder().encode(text).length : Math.floor((text.replace(/=/g, '').length * 3) / 4);

/** Pretty-prints JSON; other text stays unchanged. The copy button uses the original. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
