import { emailLength, mailApi } from '@headgate/contract';
import { Button, Divider, Group, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { selfQuery } from '../../../lib/account/self-query.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';

/** Sends a mail with the stored settings, and shows the mail server's error. */
export function MailTest() {
  const { t } = useTranslation();
  const { data: user } = useQuery(selfQuery);
  const [typed, setTyped] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const to = (typed ?? user?.email ?? '').trim();
  const send = useMutation({
    mutationFn: () => call(mailApi.test, { body: { to } }),
    onSuccess: () => showMessage('success', t('Test email sent to {address}', { address: to })),
  });
  const submit = () => {
    setMissing(to === '');
    if (to !== '') send.mutate();
  };
  return (
    <>
      <Divider my="lg" />
      <Group align="flex-end" gap="sm">
        <TextInput
          flex={1}
          miw={220}
          type="email"
          label={t('Test email recipient')}
          description={t('Uses the saved settings.')}
          maxLength={emailLength.max}
          value={typed ?? user?.email ?? ''}
          error={isMissing && t('Please enter an email address')}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button variant="default" loading={send.isPending} onClick={submit}>
          {t('Send test email')}
        </Button>
      </Group>
    </>
  );
}
