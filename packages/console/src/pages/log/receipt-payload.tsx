import { ActionIcon, Button, Code, Group, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import styles from './log.module.css';
import { Section } from './receipt-section.tsx';

/** Link to the stored payloads, or a note that they have expired. */
export function StoredPayloads({ until, onShow }: { readonly until: number; readonly onShow: () => void }) {
  const { t } = useTranslation();
  const time = formatTime(until);
  const isOver = until * 1000 <= Date.now();
  return (
    <Section title={t('Headers and payload')}>
      {isOver ? (
        <Text c="dimmed">{t('Stored until {time}, now deleted', { time })}</Text>
      ) : (
        <Group justify="space-between" gap="xs">
          <Text c="dimmed">{t('Stored until {time}', { time })}</Text>
          <Button size="compact-sm" variant="default" onClick={onShow}>
            {t('Show')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

/** Explains how to enable payload logging, for requests without stored payloads. */
export function NoPayload() {
  const { t } = useTranslation();
  return (
    <Section title={t('Headers and payload')}>
      <Text fz={13} c="dimmed">
        {t('Not stored. Turn on payload logging for the token or user to store payloads.')}
      </Text>
    </Section>
  );
}

export function RequestId({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const copyLabel = t('Copy request ID');
  return (
    <Section title={t('Request ID')}>
      <Group gap={4} wrap="nowrap">
        <Code className={styles['whole'] ?? ''}>{id}</Code>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={copyLabel}
          title={copyLabel}
          onClick={() => void copyWithMessage(id)}
        >
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Group>
    </Section>
  );
}
