import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { secondFactorQuery } from './personal-queries.ts';

const Dialogs = lazy(() =>
  import('./second-factor-dialogs.tsx').then(({ SecondFactorDialog }) => ({ default: SecondFactorDialog })),
);

/** Two-step login with an authenticator app. */
export function PersonalSecondFactor() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const { data } = useQuery({ ...secondFactorQuery, enabled: extensions });
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes'>();
  const proof = useReauth();
  if (!data) return null;
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb={4}>
        {t('Two-step login')}
      </Title>
      <Text c="dimmed" mb="md">
        {data.isOn
          ? t('On. Logging in requires a code from your authenticator app. Backup codes left: {count}', {
              count: data.backupCodes,
            })
          : t('Off. You log in with only your password. Protect your account with an authenticator app.')}
      </Text>
      {data.isRequired && !data.isOn && (
        <Text c="red" mb="md" role="alert">
          {t('Admins need a second factor. Set one up to use the admin pages.')}
        </Text>
      )}
      <Group>
        {data.isOn ? (
          <>
            <Button variant="default" onClick={() => setDialog('codes')}>
              {t('New backup codes')}
            </Button>
            <Button variant="light" color="red" onClick={() => setDialog('off')}>
              {t('Turn off two-step login')}
            </Button>
          </>
        ) : (
          <Button variant="default" loading={proof.isAsking} onClick={() => proof.run(() => setDialog('on'))}>
            {t('Turn on two-step login')}
          </Button>
        )}
      </Group>
      {proof.dialog}
      {dialog && (
        <Suspense>
          <Dialogs kind={dialog} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </Paper>
  );
}
