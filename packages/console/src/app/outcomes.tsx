import { Button, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconLock, IconMapQuestion, IconPlugConnectedX, type TablerIcon } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../i18n/translate.ts';

interface OutcomeProps {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Outcome({ icon: Icon, title, text, children }: OutcomeProps) {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" maw={420} ta="center">
        <ThemeIcon variant="light" size={56} radius="xl" aria-hidden>
          <Icon size={28} stroke={1.5} />
        </ThemeIcon>
        <Title order={1}>{title}</Title>
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </Center>
  );
}

function HomeLink() {
  const { t } = useWords();
  return (
    <Button component={Link} to="/" variant="light" mt="sm">
      {t('Go to the home page')}
    </Button>
  );
}

export function NotFound() {
  const { t } = useWords();
  return (
    <Outcome
      icon={IconMapQuestion}
      title={t('Page not found')}
      text={t('Page does not exist, please check your browser address')}
    >
      <HomeLink />
    </Outcome>
  );
}

export function NotAllowed() {
  const { t } = useWords();
  return (
    <Outcome
      icon={IconLock}
      title={t('Not allowed')}
      text={t('This page is for admins. Ask one if you need something from it.')}
    >
      <HomeLink />
    </Outcome>
  );
}

export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const { t } = useWords();
  const router = useRouter();
  const retry = async () => {
    reset();
    await router.invalidate();
  };
  return (
    <Outcome
      icon={IconPlugConnectedX}
      title={t('This page could not be loaded')}
      text={error instanceof Error ? error.message : String(error)}
    >
      <Button variant="light" mt="sm" onClick={() => void retry()}>
        {t('Try again')}
      </Button>
    </Outcome>
  );
}
