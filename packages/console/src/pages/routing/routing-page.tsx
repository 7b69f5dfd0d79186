import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { AliasSection } from './alias-section.tsx';
import { RoutingTest } from './routing-test.tsx';
import { RuleSection } from './rule-section.tsx';

/** Routing: rules, model aliases, and a test of the route. */
export function RoutingPage() {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Title order={1}>{t('Routing')}</Title>
      <Text size="sm" c="dimmed">
        {t(
          'Without a rule, the channels with the highest priority share requests by weight. Failed requests are retried on other channels, up to “Retry times” in the settings.',
        )}
      </Text>
      <RuleSection />
      <AliasSection />
      <RoutingTest />
    </Stack>
  );
}
