import { type ChannelKey, channelStatus, channelStatuses, logReasons } from '@headgate/contract';
import { Button, Group, Text } from '@mantine/core';
import { useWords } from '../../../i18n/translate.ts';
import { ago } from '../../../lib/ago.ts';
import { formatTime } from '../../../lib/format.ts';
import { askFirst } from '../../../ui/confirm.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { secondsText } from '../channel-facts.ts';
import { InlineNumber } from '../inline-number.tsx';
import type { KeyChanges } from './key-queries.ts';
import type { KeyTests } from './key-tests.ts';
import styles from './keys.module.css';

interface KeyRowProps {
  readonly channelKey: ChannelKey;
  /** A channel needs a key: the last one is not removed. */
  readonly isLast: boolean;
  readonly changes: KeyChanges;
  readonly tests: KeyTests;
}

const heaviest = 1000;

/** One key: how it does, and what can be done with it. The only key of a channel has nothing of its own. */
export function KeyRow({ channelKey: key, isLast, changes, tests }: KeyRowProps) {
  const { t } = useWords();
  const name = key.hint === '' ? `#${key.id}` : `…${key.hint}`;
  return (
    <li className={styles['key']}>
      <Group gap="sm" wrap="nowrap" className={styles['head'] ?? ''}>
        <span className={styles['name']}>{name}</span>
        <KeyStatus channelKey={key} />
        {key.id > 0 && (
          <div className={styles['weight']}>
            <Text span size="xs" c="dimmed" aria-hidden>
              {t('Weight')}
            </Text>
            <InlineNumber
              label={t('Weight of key {name}', { name })}
              value={key.weight}
              min={1}
              max={heaviest}
              onSave={(weight) => changes.change.mutateAsync({ ids: [key.id], weight })}
            />
          </div>
        )}
      </Group>
      {key.id > 0 && <KeyFacts channelKey={key} tests={tests} />}
      {key.id > 0 && <KeyActions channelKey={key} name={name} isLast={isLast} changes={changes} tests={tests} />}
    </li>
  );
}

function KeyStatus({ channelKey: { status, status_reason, resting_seconds } }: Pick<KeyRowProps, 'channelKey'>) {
  const { t, label } = useWords();
  const isOn = status === channelStatus.enabled;
  const isResting = isOn && resting_seconds > 0;
  const row = channelStatuses[status];
  const color = status === channelStatus.disabledByMonitor ? 'red' : isOn ? 'green' : 'gray';
  return (
    <Dot
      color={isResting ? 'yellow' : color}
      words={isResting ? t('Resting {seconds} s', { seconds: resting_seconds }) : row ? label(row.label) : t('Unknown')}
      reason={status_reason || undefined}
    />
  );
}

function KeyFacts({ channelKey: key, tests }: Pick<KeyRowProps, 'channelKey' | 'tests'>) {
  const { t, label } = useWords();
  const result = tests.results.get(key.id);
  const used = key.used_time > 0 ? t('last used {time}', { time: ago(t, key.used_time) }) : t('not used yet');
  const reason = logReasons[key.failure_reason === '' ? 'other' : key.failure_reason].label;
  const words = key.failure_message || label(reason);
  return (
    <div className={styles['facts']}>
      <div>{`${t('{count} requests', { count: key.request_count })} · ${used}`}</div>
      {key.failure_time > 0 && (
        <div title={formatTime(key.failure_time)} data-trouble>
          {[key.failure_status > 0 ? `${key.failure_status} ${words}` : words, ago(t, key.failure_time)].join(' · ')}
        </div>
      )}
      {result && (
        <div role="status">
          {result.reason === ''
            ? t('Tested: {model} answered in {time}', { model: result.model, time: secondsText(result.ms / 1000) })
            : t('Tested: {model} failed: {reason}', { model: result.model, reason: result.message })}
        </div>
      )}
    </div>
  );
}

interface KeyActionsProps extends KeyRowProps {
  readonly name: string;
}

function KeyActions({ channelKey: { id, status }, name, isLast, changes, tests }: KeyActionsProps) {
  const { t } = useWords();
  const isOn = status === channelStatus.enabled;
  const remove = () =>
    askFirst({
      title: t('Remove key {name}?', { name }),
      text: t('Requests no longer use it. This cannot be undone.'),
      confirm: t('Remove key'),
      onConfirm: () => changes.remove.mutate([id]),
    });
  const toggle = () =>
    changes.change.mutate({ ids: [id], status: isOn ? channelStatus.disabled : channelStatus.enabled });
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={tests.running === id}
        disabled={tests.running !== undefined}
        aria-label={t('Test key {name}', { name })}
        onClick={() => void tests.start([id])}
      >
        {t('Test')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={isOn ? t('Disable key {name}', { name }) : t('Enable key {name}', { name })}
        onClick={toggle}
      >
        {isOn ? t('Disable') : t('Enable')}
      </Button>
      {!isLast && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          aria-label={t('Remove key {name}', { name })}
          onClick={remove}
        >
          {t('Remove')}
        </Button>
      )}
    </Group>
  );
}
