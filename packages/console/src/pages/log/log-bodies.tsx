import { type KeptBodies, type KeptBody, keptBodyApi, type Log } from '@headgate/contract';
import { ActionIcon, Alert, Box, Button, Group, Modal, Stack, Switch, Text, Title } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { call, callForNothing } from '../../lib/api/call.ts';
import { figure, formatTime } from '../../lib/format/format.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { copyAndTell } from '../../ui/copy-and-tell.ts';
import { useProof } from '../../ui/proof.tsx';
import styles from './log-bodies.module.css';

interface LogBodiesProps {
  readonly log: Pick<Log, 'request_id'>;
  readonly isAdmin: boolean;
  readonly onClose: () => void;
}

/** Payloads of a request, shown after a proof of identity. */
export function LogBodies({ log: { request_id }, isAdmin, onClose }: LogBodiesProps) {
  const { t } = useWords();
  const proof = useProof({ isForReading: true, onCancelled: onClose });
  const read = useMutation({
    mutationFn: () => call(isAdmin ? keptBodyApi.read : keptBodyApi.readOwn, { body: { request_id } }),
    onError: onClose,
  });
  const isAsked = useRef(false);
  useEffect(() => {
    // Loaded once, because each access is logged.
    if (isAsked.current) return;
    isAsked.current = true;
    proof.first(() => read.mutate());
  });
  return (
    <>
      {proof.dialog}
      {read.data && (
        <Modal opened onClose={onClose} size="xl" title={t('Payload')}>
          <Bodies bodies={read.data} isAdmin={isAdmin} onForgotten={onClose} />
        </Modal>
      )}
    </>
  );
}

interface BodiesProps {
  readonly bodies: KeptBodies;
  readonly isAdmin: boolean;
  readonly onForgotten: () => void;
}

function Bodies({ bodies: { request_id, expires_time, status, request, answer }, isAdmin, onForgotten }: BodiesProps) {
  const { t } = useWords();
  const [isFormatted, setFormatted] = useState(true);
  const forget = useMutation({
    mutationFn: () =>
      callForNothing(isAdmin ? keptBodyApi.forgetOne : keptBodyApi.forgetOneOwn, { params: { request_id } }),
    onSuccess: () => {
      showMessage('success', t('Operation completed successfully'));
      onForgotten();
    },
  });
  const ask = () =>
    askFirst({
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
      <Body title={t('Request')} body={request} isFormatted={isFormatted} />
      <Body
        title={status > 0 ? t('Response, status {status}', { status }) : t('Response')}
        body={answer}
        isFormatted={isFormatted}
      />
    </Stack>
  );
}

interface BodyProps {
  readonly title: string;
  readonly body: KeptBody;
  readonly isFormatted: boolean;
}

function Body({ title, body: { text, is_text, bytes, is_cut }, isFormatted }: BodyProps) {
  const { t } = useWords();
  const copyWords = `${t('Copy')}: ${title}`;
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Title order={3} size="h5">
          {title}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {t('{count} bytes', { count: figure(bytes) })}
            {!is_text && ` · ${t('not text, shown as base64')}`}
          </Text>
        </Title>
        {text !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={copyWords}
            title={copyWords}
            onClick={() => void copyAndTell(text)}
          >
            <IconCopy size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      {text === '' ? (
        <Text c="dimmed">{t('Empty')}</Text>
      ) : (
        // Focusable, because it may scroll.
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
            kept: figure(keptBytes(text, is_text)),
            all: figure(bytes),
          })}
        </Alert>
      )}
    </section>
  );
}

const keptBytes = (text: string, isText: boolean): number =>
  isText ? new TextEncoder().encode(text).length : Math.floor((text.replace(/=/g, '').length * 3) / 4);

/** Pretty-prints JSON; other text stays unchanged. The copy button uses the original. */
function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
