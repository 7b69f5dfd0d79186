import { type SsoProviderSummary, ssoSignInApi } from '@headgate/contract';
import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useSsoStart } from '../../lib/account/sso-start.ts';
import { call } from '../../lib/api/call.ts';

/** Finds the provider of an organization by email domain or organization name, and opens it. */
export function SsoDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [given, setGiven] = useState('');
  const start = useSsoStart();
  const find = useMutation({
    mutationFn: (text: string) =>
      call(ssoSignInApi.discover, { query: text.includes('@') ? { email: text } : { organization: text } }),
    onSuccess: ([only, ...others]) => {
      if (only && others.length === 0) start.mutate({ id: only.id, link: false });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given.trim() !== '') find.mutate(given.trim());
  };
  return (
    <Modal opened onClose={onClose} title={t('Log in with SSO')} size="sm">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('Email or organization name')}
            name="organization"
            autoComplete="email"
            data-autofocus
            value={given}
            onChange={(event) => setGiven(event.currentTarget.value)}
          />
          {find.data?.length === 0 && (
            <Alert color="orange">
              {t('No login provider found. Enter your work email or the exact name of your organization.')}
            </Alert>
          )}
          <Button type="submit" fullWidth loading={find.isPending || start.isPending}>
            {t('Continue')}
          </Button>
          {find.data && find.data.length > 1 && <Choices choices={find.data} onChosen={start.mutate} />}
        </Stack>
      </form>
    </Modal>
  );
}

interface ChoicesProps {
  readonly choices: readonly SsoProviderSummary[];
  readonly onChosen: (start: { readonly id: number; readonly link: boolean }) => void;
}

function Choices({ choices, onChosen }: ChoicesProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <Text size="sm">{t('Select a provider')}</Text>
      {choices.map(({ id, name, organization }) => (
        <Button key={id} variant="default" onClick={() => onChosen({ id, link: false })}>
          {`${name} · ${organization}`}
        </Button>
      ))}
    </Stack>
  );
}
