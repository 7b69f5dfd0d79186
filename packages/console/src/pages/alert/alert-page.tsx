import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useAlertChanges } from './alert-queries.ts';
import { Destinations } from './destination-section.tsx';
import { AlertHistory } from './history-section.tsx';
import { Rules } from './rule-section.tsx';

/** Alerts: destinations, rules and history. */
export function AlertPage() {
  const { t } = useTranslation();
  const changes = useAlertChanges();
  return (
    <Stack gap="md">
      <Title order={1}>{t('Alerts')}</Title>
      <Text size="sm" c="dimmed">
        {t(
          'Rules send events to destinations. Without a rule for channels, channel alerts are emailed to the super admin.',
        )}
      </Text>
      <Destinations changes={changes} />
      <Rules changes={changes} />
      <AlertHistory changes={changes} />
    </Stack>
  );
}
