import { type ChannelKey, channelStatus, channelStatuses, logReasons, maxCostPercent } from '@headgate/contract';
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconActivity, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';
import { relativeTime } from '../../../lib/format/ago.ts';
import { formatNumber, formatTime } from '../../../lib/format/format.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { formatSeconds } from '../channel-facts.ts';
import { InlineNumber } from '../inline-number.tsx';
import type { KeyChanges } from './key-queries.ts';
import type { KeyTests } from './key-tests.ts';
import styles from './keys.module.css';

interface KeyRowProps {
  readonly channelKey: ChannelKey;
  /** The last key cannot be removed. */
  readonly isLast: boolean;
  /** Managed keys can be tested but not changed. */
  readonly isManaged: boolean;
  readonly changes: KeyChanges;
  readonly tests: KeyTests;
}

const maxWeight = 1000;

/**
 * One key with status and actions. Compact, because a channel may have hundreds of keys; a second line appears only for
 * failures and test results. A channel's only key has no actions.
 */
export function KeyRow({ channelKey: key, isLast, isManaged, changes, tests }: KeyRowProps) {
  const { t } = useTranslation();
  const name = key.hint === '' ? (key.id === 0 ? '•••' : `#${key.id}`) : `…${key.hint}`;
  return (
    <li className={styles['key']}>
      <span className={styles['name']}>{name}</span>
      <KeyStatus channelKey={key} />
      {key.id > 0 && (
        <>
          <KeyUse channelKey={key} />
          <div className={styles['weight']}>
            <Text span size="xs" c="dimmed" aria-hidden>
              {t('Weight')}
            </Text>
            <InlineNumber
              label={t('Weight of key {name}', { name })}
              value={key.weight}
              min={1}
              max={maxWeight}
              isReadOnly={isManaged}
              onSave={(weight) => changes.change.mutateAsync({ ids: [key.id], weight })}
            />
          </div>
          <div className={styles['cost']} title={t("As a percentage of the channel's cost")}>
            <Text span size="xs" c="dimmed" aria-hidden>
              {t('Cost %')}
            </Text>
            <InlineNumber
              label={t('Cost of key {name} (% of channel cost)', { name })}
              value={key.cost_percent}
              min={1}
              max={maxCostPercent}
              isReadOnly={isManaged}
              onSave={(percent) => changes.change.mutateAsync({ ids: [key.id], cost_percent: percent })}
            />
          </div>
          <KeyActions
            channelKey={key}
            name={name}
            isLast={isLast}
            isManaged={isManaged}
            changes={changes}
            tests={tests}
          />
          <KeyMessages channelKey={key} tests={tests} />
        </>
      )}
    </li>
  );
}

function KeyStatus({ channelKey: { status, status_reason, cooldown_seconds } }: Pick<KeyRowProps, 'channelKey'>) {
  const { t, label } = useTranslation();
  const isOn = status === channelStatus.enabled;
  const isResting = isOn && cooldown_seconds > 0;
  const row = channelStatuses[status];
  const color = status === channelStatus.disabledByMonitor ? 'red' : isOn ? 'green' : 'gray';
  return (
    <Dot
      color={isResting ? 'yellow' : color}
      text={
        isResting
          ? t('Cooling down ({seconds} s)', { seconds: cooldown_seconds })
          : row
            ? label(row.label)
            : t('Unknown')
      }
      reason={status_reason || undefined}
    />
  );
}

function KeyUse({ channelKey: { request_count, used_time } }: Pick<KeyRowProps, 'channelKey'>) {
  const { t } = useTranslation();
  const count = t('{count} requests', { count: formatNumber(request_count) });
  const isUsed = used_time > 0;
  return (
    <span className={styles['use']} {...(isUsed && { title: t('last used {time}', { time: formatTime(used_time) }) })}>
      {`${count} · ${isUsed ? relativeTime(t, used_time) : t('not used yet')}`}
    </span>
  );
}

/** Last failure, and the result of a test. */
function KeyMessages({ channelKey: key, tests }: Pick<KeyRowProps, 'channelKey' | 'tests'>) {
  const { t, label } = useTranslation();
  const result = tests.results.get(key.id);
  if (key.failure_time === 0 && !result) return null;
  const reason = logReasons[key.failure_reason === '' ? 'other' : key.failure_reason].label;
  const message = key.failure_message || label(reason);
  const text = key.failure_status > 0 ? `${key.failure_status} ${message}` : message;
  return (
    <div className={styles['facts']}>
      {key.failure_time > 0 && (
        <div title={`${text} · ${formatTime(key.failure_time)}`} data-trouble>
          {`${relativeTime(t, key.failure_time)} · ${text}`}
        </div>
      )}
      {result && (
        <div role="status">
          {result.reason === ''
            ? t('Test passed: {model} responded in {time}', {
                model: result.model,
                time: formatSeconds(result.ms / 1000),
              })
            : t('Test of {model} failed: {reason}', { model: result.model, reason: result.message })}
        </div>
      )}
    </div>
  );
}

interface KeyActionsProps extends KeyRowProps {
  readonly name: string;
}

function KeyActions({ channelKey: { id, status }, name, isLast, isManaged, changes, tests }: KeyActionsProps) {
  const { t } = useTranslation();
  const isOn = status === channelStatus.enabled;
  const remove = () =>
    openConfirmation({
      title: t('Remove key {name}?', { name }),
      text: t('Requests no longer use this key. This cannot be undone.'),
      confirm: t('Remove key'),
      onConfirm: () => changes.remove.mutate([id]),
    });
  const toggle = () =>
    changes.change.mutate({ ids: [id], status: isOn ? channelStatus.disabled : channelStatus.enabled });
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
  return (
    <Group gap={4} wrap="nowrap" className={styles['actions'] ?? ''}>
      <ActionIcon
        variant="subtle"
        color="gray"
        loading={tests.running === id}
        disabled={tests.running !== undefined}
        title={t('Test')}
        aria-label={t('Test key {name}', { name })}
        onClick={() => void tests.start([id])}
      >
        <IconActivity {...icon} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={isManaged}
        title={isOn ? t('Disable') : t('Enable')}
        aria-label={isOn ? t('Disable key {name}', { name }) : t('Enable key {name}', { name })}
        onClick={toggle}
      >
        {isOn ? <IconPlayerStop {...icon} /> : <IconPlayerPlay {...icon} />}
      </ActionIcon>
      {!isLast && !isManaged && (
        <ActionIcon
          variant="subtle"
          color="red"
          title={t('Remove')}
          aria-label={t('Remove key {name}', { name })}
          onClick={remove}
        >
          <IconTrash {...icon} />
        </ActionIcon>
      )}
    </Group>
  );
}
