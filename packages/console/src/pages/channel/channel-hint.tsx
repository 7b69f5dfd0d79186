import { CloseButton, Group, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import type { StoredFlag } from './stored-flags.ts';

/** Hint about tests and details. Loaded only until it is dismissed. */
export function ChannelHint({ seen }: { readonly seen: StoredFlag }) {
  const { t } = useTranslation();
  return (
    <Group gap={4} mt="sm" wrap="nowrap" align="flex-start">
      <Text size="xs" c="dimmed">
        {t(
          'Tests use gpt-3.5-turbo if the channel offers it, otherwise its first model. Turn on Details to choose another model, see balances and set weights.',
        )}
      </Text>
      <CloseButton size="xs" aria-label={t('Dismiss this hint')} onClick={() => seen.set(true)} />
    </Group>
  );
}
