import { type ReauthMethod, sessionApi } from '@headgate/contract';
import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { removeStoredUser } from '../lib/account/session.ts';
import { call } from '../lib/api/call.ts';
import { returnTo } from '../lib/page/address.ts';

interface ProofDialogProps {
  readonly by: ReauthMethod;
  readonly isForReading: boolean;
  readonly onProved: () => void;
  readonly onClose: () => void;
}

/** Asks for the password or a code again. */
export function ReauthDialog({ by, isForReading, onProved, onClose }: ProofDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('Confirm your identity')} size="sm" closeOnClickOutside={false}>
      {by === 'login' ? (
        <SignInAgain isForReading={isForReading} />
      ) : (
        <ProofForm by={by} isForReading={isForReading} onProved={onProved} />
      )}
    </Modal>
  );
}

interface ProofFormProps {
  readonly by: Exclude<ReauthMethod, 'login'>;
  readonly isForReading: boolean;
  readonly onProved: () => void;
}

const fields = {
  code: { Input: TextInput, label: 'Authenticator code', autoComplete: 'one-time-code' },
  password: { Input: PasswordInput, label: 'Password', autoComplete: 'current-password' },
} as const;

const missing = { code: 'Please enter the code', password: 'Please enter a password' } as const;

function ProofForm({ by, isForReading, onProved }: ProofFormProps) {
  const { t } = useTranslation();
  const [proof, setProof] = useState('');
  const [isMissing, setMissing] = useState(false);
  const prove = useMutation({
    mutationFn: () => call(sessionApi.prove, { body: { proof } }),
    onSuccess: onProved,
    onError: () => setProof(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(proof === '');
    if (proof !== '') prove.mutate();
  };
  const { Input, label, autoComplete } = fields[by];
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          {isForReading
            ? t('Stored payloads are confidential. Confirm your identity to continue.')
            : t('This changes how your account is accessed. Confirm your identity to continue.')}
        </Text>
        <Input
          label={t(label)}
          autoComplete={autoComplete}
          data-autofocus
          value={proof}
          error={isMissing && t(missing[by])}
          aria-invalid={isMissing}
          onChange={(event) => setProof(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={prove.isPending}>
          {t('Continue')}
        </Button>
      </Stack>
    </form>
  );
}

/** Accounts with neither password nor codes must sign in again. */
function SignInAgain({ isForReading }: { readonly isForReading: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const leave = useMutation({
    mutationFn: () => call(sessionApi.logout, {}),
    onSuccess: () => {
      removeStoredUser();
      return navigate({ to: '/login', state: returnTo(pathname) });
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm">
        {isForReading
          ? t('Stored payloads are confidential. Log in again, then retry.')
          : t('This changes how your account is accessed. Log in again, then retry.')}
      </Text>
      <Button fullWidth data-autofocus loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('Log in again')}
      </Button>
    </Stack>
  );
}
