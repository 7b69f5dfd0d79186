import { ActionIcon, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useServerAddress } from '../../lib/page/status.ts';
import { copyWithMessage } from '../../ui/copy-with-message.ts';
import { ClientSetup } from '../../ui/use-with/use-with.tsx';
import styles from './home.module.css';

/** Start card for visitors: account, base URL and key. */
export function StartCard() {
  const { t } = useTranslation();
  const isSignedIn = useUser() !== undefined;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="sm">
        {t('Get started')}
      </Title>
      {isSignedIn ? <UseIt /> : <SignInFirst />}
    </Card>
  );
}

function SignInFirst() {
  const { t } = useTranslation();
  return (
    <Group justify="space-between">
      <Text c="dimmed">{t('Log in to create API tokens and track their usage.')}</Text>
      <Button component={Link} to="/login">
        {t('Log in')}
      </Button>
    </Group>
  );
}

function UseIt() {
  const { t } = useTranslation();
  const address = `${useServerAddress()}/v1`;
  const copyLabel = t('Copy URL');
  return (
    <Stack gap="sm">
      <Text c="dimmed">{t('Use this base URL in any OpenAI client, with a token as the API key.')}</Text>
      <Group justify="space-between">
        <Group gap={4} wrap="nowrap" className={styles['address'] ?? ''}>
          <Code className={styles['code'] ?? ''}>{address}</Code>
          <ActionIcon
            variant="subtle"
            color="gray"
            title={copyLabel}
            aria-label={copyLabel}
            onClick={() => void copyWithMessage(address)}
          >
            <IconCopy size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Group>
        <Group gap="xs">
          <Button component={Link} to="/log" variant="default">
            {t('Logs')}
          </Button>
          <Button component={Link} to="/token/add">
            {t('Add token')}
          </Button>
        </Group>
      </Group>
      <Title order={3} mt="sm">
        {t('Connect a client')}
      </Title>
      <ClientSetup />
    </Stack>
  );
}
