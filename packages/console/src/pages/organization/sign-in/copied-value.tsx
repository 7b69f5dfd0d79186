import { ActionIcon, Code, Group, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/translate.ts';
import { copyWithMessage } from '../../../ui/copy-with-message.ts';

interface CopiedValueProps {
  readonly name: string;
  readonly value: string;
}

/** A value to enter at the identity provider or DNS host, with a copy button. */
export function CopiedValue({ name, value }: CopiedValueProps) {
  const { t } = useTranslation();
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Code>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Copy: {name}', { name })}
        onClick={() => void copyWithMessage(value)}
      >
        <IconCopy size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
