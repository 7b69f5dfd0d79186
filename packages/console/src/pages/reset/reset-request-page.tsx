import { emailLength, mailCooldownSeconds, registrationApi } from '@headgate/contract';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { useCountdown } from '../../lib/format/countdown.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { AccountCard } from '../../ui/account-card.tsx';
import { useBotCheck } from '../../ui/bot-check.tsx';

/** Requests an email with a link that sets a new password. */
export function ResetRequestPage() {
  const { t } = useTranslation();
  return (
    <AccountCard title={t('Reset your password')}>
      <RequestForm />
      <Text size="sm" ta="center" mt="lg">
        <Anchor component={Link} to="/login" size="sm">
          {t('Back to login')}
        </Anchor>
      </Text>
    </AccountCard>
  );
}

function RequestForm() {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const { left, start, stop } = useCountdown('reset mail', mailCooldownSeconds);
  const { widget, take } = useBotCheck();
  const request = useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(registrationApi.requestReset, { query }),
    onSuccess: () => showMessage('success', t('Reset email sent')),
    onError: stop,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    if (address === '' || left > 0) return;
    const turnstile = take();
    if (turnstile === undefined) return;
    start();
    request.mutate({ email: address, turnstile });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Email')}
          type="email"
          name="email"
          autoComplete="email"
          maxLength={emailLength.max}
          autoFocus
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        {widget}
        <Button type="submit" fullWidth mt="xs" loading={request.isPending} disabled={left > 0}>
          {left > 0 ? t('Retry ({seconds})', { seconds: left }) : t('Send reset email')}
        </Button>
        {request.isSuccess && (
          <Text size="sm" c="dimmed" role="status">
            {t(
              'If an account uses this address, a reset link has been sent. The link works once and expires after 10 minutes.',
            )}
          </Text>
        )}
      </Stack>
    </form>
  );
}
