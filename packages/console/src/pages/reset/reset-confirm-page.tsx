import { registrationApi } from '@headgate/contract';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import { copyWithMessage } from '../../ui/copy-with-message.ts';

/** Landing page of the emailed link; one click generates the new password. */
export function ResetConfirmPage() {
  const { t } = useTranslation();
  const { email = '', token = '' } = useSearch({ strict: false }) as { email?: string; token?: string };
  return (
    <AccountCard title={t('Reset your password')}>
      {email === '' || token === '' ? <Incomplete /> : <ConfirmForm email={email} token={token} />}
      <Text size="sm" ta="center" mt="lg">
        <Anchor component={Link} to="/login" size="sm">
          {t('Back to login')}
        </Anchor>
      </Text>
    </AccountCard>
  );
}

function Incomplete() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Text>{t('This link is incomplete. Open it from the email again or request a new one.')}</Text>
      <Button component={Link} to="/reset" variant="default" fullWidth>
        {t('Send reset email')}
      </Button>
    </Stack>
  );
}

function ConfirmForm({ email, token }: { readonly email: string; readonly token: string }) {
  const { t } = useTranslation();
  const reset = useMutation({
    mutationFn: () => call(registrationApi.reset, { body: { email, token } }),
    onSuccess: (password) => copyWithMessage(password, undefined, t('New password copied to clipboard')),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reset.isSuccess) reset.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label={t('Email')} name="email" autoComplete="username" readOnly value={email} />
        {reset.data !== undefined && (
          <TextInput
            label={t('New password')}
            description={t(
              'Change it after you log in. Your API tokens still work; if they may have leaked, disable them on the Tokens page.',
            )}
            readOnly
            autoComplete="off"
            value={reset.data}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        <Button type="submit" fullWidth mt="xs" loading={reset.isPending} disabled={reset.isSuccess}>
          {reset.isSuccess ? t('Password reset done') : t('Reset password')}
        </Button>
        {!reset.isSuccess && (
          <Text size="sm" c="dimmed">
            {t(
              'A new password is generated and shown to you. You are logged out on all devices; your API tokens still work.',
            )}
          </Text>
        )}
      </Stack>
    </form>
  );
}
