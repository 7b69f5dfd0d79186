import { Center, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { useIsFetching } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import { SandboxedFrame } from '../../ui/sandboxed-frame.tsx';
import styles from './chat.module.css';

/** The configured chat app, filling the page. */
export function ChatPage() {
  const { t } = useTranslation();
  const { chat_link } = useStatus();
  const isFetching = useIsFetching({ queryKey: ['status'] }) > 0;
  if (/^https?:\/\//i.test(chat_link) && URL.canParse(chat_link)) {
    return (
      <>
        <VisuallyHidden component="h1">{t('Chat')}</VisuallyHidden>
        <SandboxedFrame className={styles['frame']} address={chat_link} title={t('Chat')} />
      </>
    );
  }
  return isFetching ? <Skeleton className={styles['frame'] ?? ''} /> : <NoChat />;
}

function NoChat() {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" maw={420} ta="center">
        <ThemeIcon variant="light" size={56} radius="xl" aria-hidden>
          <IconMessageOff size={28} stroke={1.5} />
        </ThemeIcon>
        <Title order={1}>{t('Chat is not configured')}</Title>
        <Text c="dimmed">{t('An admin can set a chat link in the operation settings.')}</Text>
      </Stack>
    </Center>
  );
}
