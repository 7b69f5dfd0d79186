import { type SignedInUser, secondFactorApi, secondFactorMessage, sessionApi } from '@headgate/contract';
import { Anchor, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { currentUser, removeStoredUser, signInKey, storeUser } from '../../lib/account/session.ts';
import { call, callWithEnvelope } from '../../lib/api/call.ts';
import { query } from '../../lib/page/address.ts';
import { showMessage } from '../../lib/page/messages.ts';

interface SignInAgainDialogProps {
  readonly onClose: () => void;
}

/** Shown when the session ends with unsaved input: the same user signs in again, and the page stays. */
export function SignInAgainDialog({ onClose }: SignInAgainDialogProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [ticket, setTicket] = useState<string>();
  const done = () => {
    onClose();
    void queries.invalidateQueries();
  };
  const welcome = (user: SignedInUser | undefined) => {
    if (user) storeUser(user);
    showMessage('success', t('Logged in again. Your input was kept.'));
    done();
  };
  useSignInElsewhere(done);
  const leave = () => {
    onClose();
    removeStoredUser();
    void navigate({ to: '/login', search: query({ expired: true }), ignoreBlocker: true });
  };
  return (
    <Modal opened onClose={onClose} title={t('Your session has expired')} size="sm" closeOnClickOutside={false}>
      <Stack gap="md">
        <Text size="sm">{t('Log in again to continue. Your input on this page is kept.')}</Text>
        {ticket === undefined ? (
          <PasswordStep onTicket={setTicket} onDone={welcome} />
        ) : (
          <CodeStep ticket={ticket} onDone={welcome} />
        )}
        <Group justify="space-between">
          <Anchor href="/login" target="_blank" size="sm">
            {t('Use another login method')}
          </Anchor>
          <Anchor component="button" type="button" size="sm" c="dimmed" onClick={leave}>
            {t('Leave without saving')}
          </Anchor>
        </Group>
      </Stack>
    </Modal>
  );
}

interface StepProps {
  readonly onDone: (user: SignedInUser | undefined) => void;
}

function PasswordStep({ onTicket, onDone }: StepProps & { readonly onTicket: (ticket: string | undefined) => void }) {
  const { t } = useTranslation();
  const username = currentUser()?.username ?? '';
  const [password, setPassword] = useState('');
  const login = useMutation({
    mutationFn: () => callWithEnvelope(sessionApi.login, { body: { username, password } }),
    onSuccess: ({ message, ticket, data }) => (message === secondFactorMessage ? onTicket(ticket) : onDone(data)),
    onError: () => setPassword(''),
  });
  return (
    <StepForm isPending={login.isPending} onSubmit={() => password !== '' && login.mutate()}>
      <TextInput label={t('Username')} autoComplete="username" readOnly variant="filled" value={username} />
      <PasswordInput
        label={t('Password')}
        autoComplete="current-password"
        data-autofocus
        value={password}
        visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </StepForm>
  );
}

function CodeStep({ ticket, onDone }: StepProps & { readonly ticket: string }) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const finish = useMutation({
    mutationFn: () => call(secondFactorApi.login, { body: { ticket, code } }),
    onSuccess: onDone,
    onError: () => setCode(''),
  });
  return (
    <StepForm isPending={finish.isPending} onSubmit={() => code.trim() !== '' && finish.mutate()}>
      <TextInput
        label={t('Authenticator code')}
        description={t('A backup code also works, once.')}
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </StepForm>
  );
}

interface StepFormProps {
  readonly isPending: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

function StepForm({ isPending, onSubmit, children }: StepFormProps) {
  const { t } = useTranslation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {children}
        <Button type="submit" fullWidth loading={isPending}>
          {t('Log in')}
        </Button>
      </Stack>
    </form>
  );
}

/** Detects that the same user has signed in on another tab. */
function useSignInElsewhere(onDone: () => void): void {
  useEffect(() => {
    const person = currentUser()?.id;
    const follow = ({ key }: StorageEvent) => {
      if (key === signInKey && currentUser()?.id === person) onDone();
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [onDone]);
}
