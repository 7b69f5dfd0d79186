import { emailLength, mailCooldownSeconds, registrationApi } from '@headgate/contract';
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type TextKey, useTranslation } from '../i18n/translate.ts';
import { call } from '../lib/api/call.ts';
import { useCountdown } from '../lib/format/countdown.ts';
import { showMessage } from '../lib/page/messages.ts';

interface EmailFieldsProps {
  /** Form props of a field. */
  readonly field: (name: 'email' | 'verification_code') => object;
  readonly email: string;
  readonly onNoEmail: () => void;
  readonly takeToken: () => string | undefined;
  /** Button label during the countdown. */
  readonly countdownLabel?: TextKey;
}

/** Email address, and the code that verifies it. */
export function EmailFields(props: EmailFieldsProps) {
  const { field, email, onNoEmail, takeToken, countdownLabel = 'Retry ({seconds})' } = props;
  const { t } = useTranslation();
  const { left, start } = useCountdown('mail code', mailCooldownSeconds);
  const send = useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(registrationApi.sendCode, { query }),
    onSuccess: () => {
      showMessage('success', t('Verification code sent successfully, please check your mailbox!'));
      start();
    },
  });
  const ask = () => {
    const address = email.trim();
    if (address === '') return onNoEmail();
    const turnstile = takeToken();
    if (turnstile !== undefined) send.mutate({ email: address, turnstile });
  };
  return (
    <>
      <TextInput
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="email"
        maxLength={emailLength.max}
        required
        withAsterisk={false}
        {...field('email')}
      />
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t('Verification code')}
          name="verification_code"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          {...field('verification_code')}
        />
        <Button variant="default" onClick={ask} loading={send.isPending} disabled={left > 0}>
          {left > 0 ? t(countdownLabel, { seconds: left }) : t('Get code')}
        </Button>
      </Group>
    </>
  );
}
