import { secondFactorApi } from '@headgate/contract';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useLoginResult } from '../../lib/account/login-result.ts';
import { call } from '../../lib/api/call.ts';

interface SecondStepProps {
  readonly ticket: string;
  readonly onDone: () => Promise<void>;
  readonly onBack: () => void;
}

/** Requests the authenticator code or a backup code. */
export function SecondStep({ ticket, onDone, onBack }: SecondStepProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const finishLogin = useLoginResult();
  const finish = useMutation({
    mutationFn: () => call(secondFactorApi.login, { body: { ticket, code } }),
    onSuccess: (data) => finishLogin({ message: '', data }, onDone),
    onError: () => setCode(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') finish.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('Authenticator code')}
          description={t('A backup code also works, once.')}
          name="code"
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={finish.isPending}>
          {t('Log in')}
        </Button>
        <Text size="sm" ta="center">
          <Anchor component="button" type="button" size="sm" onClick={onBack}>
            {t('Back to login')}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}
