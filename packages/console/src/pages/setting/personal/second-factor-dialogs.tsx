import { secondFactorApi } from '@headgate/contract';
import { Button, Center, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import encodeQR from 'qr';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';
import styles from './personal.module.css';
import { secondFactorQuery } from './personal-queries.ts';

type Kind = 'on' | 'off' | 'codes';

interface DialogProps {
  readonly kind: Kind;
  readonly onClose: () => void;
}

const titles = {
  on: 'Turn on two-step login',
  off: 'Turn off two-step login',
  codes: 'New backup codes',
} as const;

/** Every change to two-step login requires a code. */
export function SecondFactorDialog({ kind, onClose }: DialogProps) {
  const { t } = useTranslation();
  const change = useChange(kind, onClose);
  return (
    <Modal opened onClose={onClose} title={t(titles[kind])} closeOnClickOutside={false}>
      {change.data ? (
        <BackupCodes codes={change.data} onClose={onClose} />
      ) : (
        <Stack gap="md">
          {kind === 'on' && <AppSecret />}
          {kind === 'codes' && <Text size="sm">{t('Your current backup codes stop working.')}</Text>}
          <CodeForm isPending={change.isPending} confirm={t(titles[kind])} onCode={change.mutate} />
        </Stack>
      )}
    </Modal>
  );
}

/** Returns new backup codes, if any. */
function useChange(kind: Kind, onClose: () => void) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (code: string) => {
      if (kind === 'on') return call(secondFactorApi.confirm, { body: { code } });
      if (kind === 'codes') return call(secondFactorApi.renewBackupCodes, { body: { code } });
      await call(secondFactorApi.remove, { body: { code } });
      return undefined;
    },
    onSuccess: (codes) => {
      showMessage('success', t('Operation completed successfully'));
      if (!codes) onClose();
      return queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
    },
  });
}

/** Secret for the authenticator app, as QR code and text. */
function AppSecret() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['user', 'second-factor', 'secret'],
    queryFn: () => call(secondFactorApi.begin, {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!data) return null;
  const image = `data:image/svg+xml,${encodeURIComponent(encodeQR(data.uri, 'svg', { border: 2 }))}`;
  return (
    <>
      <Text size="sm">{t('Scan this with an authenticator app, then enter its code.')}</Text>
      <Center>
        <img
          className={styles['picture']}
          src={image}
          alt={t('QR code for the authenticator app')}
          width={180}
          height={180}
        />
      </Center>
      <Text size="sm" c="dimmed">
        {t('Or enter this key manually:')} <Code>{data.secret.replace(/(.{4})(?=.)/g, '$1 ')}</Code>
      </Text>
    </>
  );
}

interface CodeFormProps {
  readonly isPending: boolean;
  readonly confirm: string;
  readonly onCode: (code: string) => void;
}

function CodeForm({ isPending, confirm, onCode }: CodeFormProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() !== '') onCode(code);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Authenticator code')}
          autoComplete="one-time-code"
          data-autofocus
          value={code}
          error={isMissing && t('Please enter the code')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={isPending}>
          {confirm}
        </Button>
      </Stack>
    </form>
  );
}

function BackupCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text size="sm">
        {t('Shown only once. Store these backup codes safely; each logs you in once if you lose your phone.')}
      </Text>
      <SimpleGrid cols={2} spacing="xs" role="list">
        {codes.map((code) => (
          <Code key={code} ta="center" role="listitem">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => void copyWithMessage(codes.join('\n'), undefined, t('Backup codes copied'))}
        >
          {t('Copy backup codes')}
        </Button>
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
