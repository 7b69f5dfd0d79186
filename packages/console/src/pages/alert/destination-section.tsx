import { type AlertDestination, type DestinationKind, destinationKinds } from '@headgate/contract';
import { Button } from '@mantine/core';
import {
  IconBell,
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTelegram,
  IconBrandWechat,
  IconMail,
  IconMessage,
  IconMessageBolt,
  IconSend,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { relativeTime } from '../../lib/format/ago.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { EditButtons } from '../../ui/row-section/edit-buttons.tsx';
import { AddButton, RowSection, SectionRow } from '../../ui/row-section/row-section.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import styles from './alert.module.css';
import { type AlertChanges, destinationsQuery } from './alert-queries.ts';
import { DestinationForm } from './destination-form.tsx';

const icons: Readonly<Record<DestinationKind, TablerIcon>> = {
  email: IconMail,
  webhook: IconWebhook,
  lark: IconSend,
  dingtalk: IconMessageBolt,
  wecom: IconBrandWechat,
  slack: IconBrandSlack,
  discord: IconBrandDiscord,
  telegram: IconBrandTelegram,
  ntfy: IconBell,
  pusher: IconMessage,
};

/** Icon of a destination kind. Decorative, next to its name. */
function DestinationIcon({ kind }: { readonly kind: DestinationKind }) {
  const Icon = icons[kind];
  return (
    <span className={styles['mark']} aria-hidden>
      <Icon size={18} stroke={1.6} />
    </span>
  );
}

interface ReceiversProps {
  readonly changes: AlertChanges;
}

/** Destinations of alerts. */
export function Destinations({ changes }: ReceiversProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(destinationsQuery);
  const [edited, setEdited] = useState<AlertDestination | 'new'>();
  return (
    <>
      <RowSection
        title={t('Destinations')}
        rows={data}
        error={error}
        errorTitle={t('Destinations could not be loaded')}
        onRetry={() => void refetch()}
        empty={t('No destinations yet. Add a chat, an email address or a webhook, then create a rule.')}
        emptyIcon={IconSend}
        tool={<AddButton label={t('Add destination')} isOff={!data} onClick={() => setEdited('new')} />}
      >
        {(receiver) => (
          <Receiver key={receiver.id} receiver={receiver} changes={changes} onEdit={() => setEdited(receiver)} />
        )}
      </RowSection>
      {edited && (
        <DestinationForm
          receiver={edited === 'new' ? undefined : edited}
          changes={changes}
          onClosed={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface ReceiverProps {
  readonly receiver: AlertDestination;
  readonly changes: AlertChanges;
  readonly onEdit: () => void;
}

function Receiver({ receiver, changes, onEdit }: ReceiverProps) {
  const { t, label } = useTranslation();
  const { id, kind, name, place, settings, last_time, last_error } = receiver;
  const where = [label(destinationKinds[kind].label), place || settings['to']].filter(Boolean).join(' · ');
  const remove = () =>
    openConfirmation({
      title: t('Delete {name}?', { name }),
      text: t('Rules no longer send to it, and pending alerts are dropped. This cannot be undone.'),
      confirm: t('Delete destination'),
      onConfirm: () => changes.removeReceiver.mutate(id),
    });
  return (
    <SectionRow
      before={<DestinationIcon kind={kind} />}
      actions={
        <>
          <TestButton id={id} name={name} changes={changes} />
          <EditButtons name={name} onEdit={onEdit} onRemove={remove} />
        </>
      }
      after={<TestResponse id={id} changes={changes} />}
    >
      <span className={styles['name']}>{name}</span>
      <span className={styles['about']}>{where}</span>
      {last_time > 0 && (
        <span className={styles['last']}>
          <Dot
            color={last_error === '' ? 'green' : 'red'}
            text={
              last_error === ''
                ? t('Sent {time}', { time: relativeTime(t, last_time) })
                : t('Failed {time}: {reason}', { time: relativeTime(t, last_time), reason: last_error })
            }
          />
        </span>
      )}
    </SectionRow>
  );
}

interface TestProps {
  readonly id: number;
  readonly changes: AlertChanges;
}

function TestButton({ id, name, changes: { testReceiver } }: TestProps & { readonly name: string }) {
  const { t } = useTranslation();
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('Send test to {name}', { name })}
      loading={testReceiver.isPending && testReceiver.variables === id}
      disabled={testReceiver.isPending}
      onClick={() => testReceiver.mutate(id)}
    >
      {t('Send test')}
    </Button>
  );
}

/** Response of the destination to the last test on this page. */
function TestResponse({ id, changes: { testReceiver } }: TestProps) {
  const { t } = useTranslation();
  if (testReceiver.variables !== id || !testReceiver.data) return null;
  const { ok, answer, ms } = testReceiver.data;
  return (
    <div className={styles['answer']} role="status" data-trouble={ok ? undefined : true}>
      {ok ? t('Delivered in {ms} ms: {answer}', { ms, answer }) : t('Delivery failed: {answer}', { answer })}
    </div>
  );
}
