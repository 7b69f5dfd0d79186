import { type ChannelKey, channelStatus, maxKeysPerChannel } from '@headgate/contract';
import { Button, Group, NativeSelect, Paper, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { ManagedReason } from '../../../ui/managed/managed.tsx';
import styles from '../channel.module.css';
import { batchKeys } from '../channel-form.ts';
import { channelQuery } from '../channel-queries.ts';
import { type KeyChanges, keysQuery, useKeyChanges } from './key-queries.ts';
import { KeyRow } from './key-row.tsx';
import { type KeyTests, useKeyTests } from './key-tests.ts';
import keyStyles from './keys.module.css';

interface ChannelKeysProps {
  readonly id: number;
  /** True if the configuration file manages the channel and its keys. */
  readonly isManaged: boolean;
}

/** Keys of a channel with status and actions, applied immediately. */
export function ChannelKeys({ id, isManaged }: ChannelKeysProps) {
  const { t } = useTranslation();
  const { data: keys, error, refetch } = useQuery(keysQuery(id));
  const changes = useKeyChanges(id);
  const tests = useKeyTests(id);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="channel-keys">
      <Stack gap="md">
        <Title order={2} size="h3" id="channel-keys">
          {t('Keys')}
        </Title>
        {error && <LoadFailed title={t('The keys could not be loaded')} error={error} onRetry={() => void refetch()} />}
        {!keys && !error && <Skeleton height={80} />}
        {keys && (
          <>
            <Tools id={id} isManaged={isManaged} keys={keys} changes={changes} tests={tests} />
            <ul className={keyStyles['keys']}>
              {keys.map((key) => (
                <KeyRow
                  key={key.id}
                  channelKey={key}
                  isLast={keys.length === 1}
                  isManaged={isManaged}
                  changes={changes}
                  tests={tests}
                />
              ))}
            </ul>
            {isManaged ? <ManagedReason /> : <AddKeys changes={changes} />}
          </>
        )}
      </Stack>
    </Paper>
  );
}

interface ToolsProps extends ChannelKeysProps {
  readonly keys: readonly ChannelKey[];
  readonly changes: KeyChanges;
  readonly tests: KeyTests;
}

/** Actions for all keys; nothing for a single key. */
function Tools({ id, isManaged, keys, changes, tests }: ToolsProps) {
  const { t } = useTranslation();
  if (keys.some((key) => key.id === 0))
    return (
      <Text size="sm">{t('This channel has one key. Add more to rotate between them; a failing key is skipped.')}</Text>
    );
  const enabled = keys.filter(({ status }) => status === channelStatus.enabled).length;
  const dead = keys.filter(({ status }) => status === channelStatus.disabledByMonitor).map((key) => key.id);
  const removeDead = () =>
    openConfirmation({
      title: t('Remove {count} keys?', { count: dead.length }),
      text: t('They were disabled automatically. This cannot be undone.'),
      confirm: t('Remove keys'),
      onConfirm: () => changes.remove.mutate(dead),
    });
  return (
    <Group gap="sm" align="end">
      <Strategy id={id} isManaged={isManaged} changes={changes} />
      <Button
        size="xs"
        variant="default"
        loading={tests.running !== undefined}
        onClick={() => void tests.start(keys.map((key) => key.id))}
      >
        {t('Test all keys')}
      </Button>
      {!isManaged && dead.length > 0 && dead.length < keys.length && (
        <Button size="xs" variant="light" color="red" onClick={removeDead}>
          {t('Remove disabled keys ({count})', { count: dead.length })}
        </Button>
      )}
      <Text size="sm" c="dimmed" role="status" ml="auto">
        {t('{enabled} of {count} keys enabled', { enabled, count: keys.length })}
      </Text>
    </Group>
  );
}

function Strategy({ id, isManaged, changes }: ChannelKeysProps & { readonly changes: KeyChanges }) {
  const { t } = useTranslation();
  const { data } = useQuery(channelQuery(id));
  return (
    <NativeSelect
      size="xs"
      label={t('Key selection')}
      disabled={isManaged}
      data={[
        { value: 'round_robin', label: t('Weighted round-robin') },
        { value: 'random', label: t('Weighted random') },
        { value: 'least_used', label: t('Least used') },
      ]}
      value={changes.choose.variables ?? data?.key_strategy ?? 'round_robin'}
      onChange={(event) => changes.choose.mutate(event.currentTarget.value)}
    />
  );
}

function AddKeys({ changes: { add } }: { readonly changes: KeyChanges }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const count = batchKeys(text).length;
  const field = useRef<HTMLTextAreaElement>(null);
  const { do: action } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  // Opened from the command palette to add keys.
  useEffect(() => {
    if (action === 'add-keys') field.current?.focus();
  }, [action]);
  return (
    <Stack gap="xs">
      <Textarea
        ref={field}
        label={t('New keys')}
        description={t('One key per line. Keys the channel already has are skipped.')}
        autosize
        minRows={2}
        maxRows={10}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: styles['mono'] ?? '' }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          disabled={count === 0 || count > maxKeysPerChannel}
          loading={add.isPending}
          onClick={() => add.mutate(text, { onSuccess: () => setText('') })}
        >
          {count > 1 ? t('Add {count} keys', { count }) : t('Add key')}
        </Button>
      </Group>
    </Stack>
  );
}
