import { type AlertReceiver, receiverKinds } from '@headgate/contract';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../i18n/translate.ts';
import { ago } from '../../lib/ago.ts';
import { askFirst } from '../../ui/confirm.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './alert.module.css';
import type { AlertChanges } from './alert-queries.ts';
import { ReceiverForm } from './receiver-form.tsx';
import { ReceiverMark } from './receiver-mark.tsx';

interface ReceiversProps {
  readonly receivers: readonly AlertReceiver[];
  readonly changes: AlertChanges;
}

/** Where alerts go. */
export function Receivers({ receivers, changes }: ReceiversProps) {
  const { t } = useWords();
  const [edited, setEdited] = useState<AlertReceiver | 'new'>();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="alert-receivers">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h3" id="alert-receivers">
            {t('Receivers')}
          </Title>
          <Button size="xs" onClick={() => setEdited('new')}>
            {t('Add receiver')}
          </Button>
        </Group>
        {receivers.length === 0 ? (
          <Text c="dimmed" ta="center" py="lg">
            {t('Nobody is told yet. Add a chat, a mailbox or a webhook, then make a rule.')}
          </Text>
        ) : (
          <ul className={styles['rows']}>
            {receivers.map((receiver) => (
              <Receiver key={receiver.id} receiver={receiver} changes={changes} onEdit={() => setEdited(receiver)} />
            ))}
          </ul>
        )}
      </Stack>
      {edited && (
        <ReceiverForm
          receiver={edited === 'new' ? undefined : edited}
          changes={changes}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Paper>
  );
}

interface ReceiverProps {
  readonly receiver: AlertReceiver;
  readonly changes: AlertChanges;
  readonly onEdit: () => void;
}

function Receiver({ receiver, changes, onEdit }: ReceiverProps) {
  const { t, label } = useWords();
  const { id, kind, name, place, settings, last_time, last_error } = receiver;
  const where = [label(receiverKinds[kind].label), place || settings['to']].filter(Boolean).join(' · ');
  const remove = () =>
    askFirst({
      title: t('Delete {name}?', { name }),
      text: t('Rules no longer send to it, and what waits for it is not sent. This cannot be undone.'),
      confirm: t('Delete receiver'),
      onConfirm: () => changes.removeReceiver.mutate(id),
    });
  return (
    <li className={styles['row']}>
      <ReceiverMark kind={kind} />
      <div className={styles['words']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['about']}>{where}</span>
        {last_time > 0 && (
          <Dot
            color={last_error === '' ? 'green' : 'red'}
            words={
              last_error === ''
                ? t('Sent {time}', { time: ago(t, last_time) })
                : t('Failed {time}: {reason}', { time: ago(t, last_time), reason: last_error })
            }
          />
        )}
      </div>
      <Group gap="xs" className={styles['actions'] ?? ''}>
        <TestButton id={id} name={name} changes={changes} />
        <Button size="xs" variant="default" aria-label={t('Edit {name}', { name })} onClick={onEdit}>
          {t('Edit')}
        </Button>
        <Button size="xs" variant="subtle" color="red" aria-label={t('Delete {name}', { name })} onClick={remove}>
          {t('Delete')}
        </Button>
      </Group>
      <TestAnswer id={id} changes={changes} />
    </li>
  );
}

interface TestProps {
  readonly id: number;
  readonly changes: AlertChanges;
}

function TestButton({ id, name, changes: { testReceiver } }: TestProps & { readonly name: string }) {
  const { t } = useWords();
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('Send a test to {name}', { name })}
      loading={testReceiver.isPending && testReceiver.variables === id}
      disabled={testReceiver.isPending}
      onClick={() => testReceiver.mutate(id)}
    >
      {t('Send a test')}
    </Button>
  );
}

/** What the receiver said to the last test of this page. */
function TestAnswer({ id, changes: { testReceiver } }: TestProps) {
  const { t } = useWords();
  if (testReceiver.variables !== id || !testReceiver.data) return null;
  const { ok, answer, ms } = testReceiver.data;
  return (
    <div className={styles['answer']} role="status" data-trouble={ok ? undefined : true}>
      {ok ? t('It arrived in {ms} ms: {answer}', { ms, answer }) : t('It was not taken: {answer}', { answer })}
    </div>
  );
}
