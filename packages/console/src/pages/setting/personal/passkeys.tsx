import { type Data, passkeyApi } from '@headgate/contract';
import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { addPasskey, canUsePasskeys } from '../../../lib/account/passkey.ts';
import { call } from '../../../lib/api/call.ts';
import { formatTime } from '../../../lib/format/format.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { openConfirmation } from '../../../ui/confirm.tsx';
import { useReauth } from '../../../ui/reauth.tsx';
import styles from './personal.module.css';

type Passkey = Data<typeof passkeyApi.list>[number];

const passkeysQuery = queryOptions({
  queryKey: ['user', 'passkey'],
  queryFn: ({ signal }) => call(passkeyApi.list, {}, { signal }),
  meta: { quiet: true },
});

/** Passkeys of the account. */
export function PersonalPasskeys() {
  const { t } = useTranslation();
  const status = useStatus();
  const { extensions } = status;
  const isUsable = canUsePasskeys(status);
  const { data = [] } = useQuery({ ...passkeysQuery, enabled: extensions });
  const remove = useChange((id: string) => call(passkeyApi.remove, { params: { passkey: id } }));
  const proof = useReauth();
  if (!isUsable && data.length === 0) return null;
  const ask = ({ id, name }: Passkey) =>
    openConfirmation({
      title: t('Remove passkey {name}?', { name: nameOf(name, t('Passkey')) }),
      text: t('You can no longer log in with it.'),
      confirm: t('Remove'),
      onConfirm: () => proof.run(() => remove.mutate(id)),
    });
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Passkeys')}
      </Title>
      <Text c="dimmed" mb="md">
        {t('Log in with your fingerprint, face or PIN instead of a password and a code.')}
      </Text>
      <Stack gap={0} mb={data.length > 0 ? 'md' : 0}>
        {data.map((passkey) => (
          <Group
            key={passkey.id}
            className={styles['row'] ?? ''}
            justify="space-between"
            wrap="nowrap"
            role="group"
            aria-label={nameOf(passkey.name, t('Passkey'))}
          >
            <Group gap="sm" wrap="nowrap" miw={0}>
              <IconFingerprint size={18} stroke={1.75} aria-hidden />
              <div className={styles['what']}>
                <Text fw={500} truncate>
                  {nameOf(passkey.name, t('Passkey'))}
                </Text>
                <Text size="sm" c="dimmed">
                  {passkey.used_time > 0
                    ? t('Last used {time}', { time: formatTime(passkey.used_time) })
                    : t('Added {time}', { time: formatTime(passkey.created_time) })}
                </Text>
              </div>
            </Group>
            <Button size="xs" variant="subtle" color="red" onClick={() => ask(passkey)}>
              {t('Remove')}
            </Button>
          </Group>
        ))}
      </Stack>
      {isUsable && <AddPasskey />}
      {proof.dialog}
    </Paper>
  );
}

const nameOf = (name: string, otherwise: string) => (name === '' ? otherwise : name);

function AddPasskey() {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const add = useChange(addPasskey, () => setName(''));
  const proof = useReauth();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    proof.run(() => add.mutate(name.trim()));
  };
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Group align="flex-end" gap="sm">
          <TextInput
            flex={1}
            miw={200}
            label={t('Passkey name')}
            placeholder={t('My phone')}
            maxLength={50}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={add.isPending || proof.isAsking}>
            {t('Add passkey')}
          </Button>
        </Group>
      </form>
      {proof.dialog}
    </>
  );
}

function useChange(change: (value: string) => Promise<unknown>, onDone?: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      showMessage('success', t('Operation completed successfully'));
      onDone?.();
      return queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
    },
  });
}
