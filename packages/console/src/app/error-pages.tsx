import { Button, Center, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconLock, IconMapQuestion, IconPlugConnectedX, type TablerIcon } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { isGatewayReachable } from '../lib/api/call.ts';
import { reportPossibleOutage, useIsUnreachable } from '../lib/api/reachable.ts';

interface ErrorPageProps {
  readonly icon: TablerIcon;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function ErrorPage({ icon: Icon, title, text, children }: ErrorPageProps) {
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
  const { t } = useTranslation();
  return (
    <Button component={Link} to="/" variant="light" mt="sm">
      {t('Go to home page')}
    </Button>
  );
}

export function NotFound() {
  const { t } = useTranslation();
  return (
    <ErrorPage
      icon={IconMapQuestion}
      title={t('Page not found')}
      text={t('Page does not exist, please check your browser address')}
    >
      <HomeLink />
    </ErrorPage>
  );
}

export function NotAllowed() {
  const { t } = useTranslation();
  return (
    <ErrorPage
      icon={IconLock}
      title={t('Not allowed')}
      text={t('This page is for admins only. Contact an admin if you need access.')}
    >
      <HomeLink />
    </ErrorPage>
  );
}

/** Reloads the page when the gateway is reachable again, because browsers do not request a failed module again. */
function useReloadOnReturn(isLost: boolean): void {
  const wasLost = useRef(isLost);
  useEffect(() => {
    if (wasLost.current && !isLost) window.location.reload();
    wasLost.current = isLost;
  }, [isLost]);
}

/**
 * Reloads the page once if the gateway is reachable but the file is missing, which means that the gateway was
 * probably updated. Returns true if the error must be shown instead.
 */
function useReloadAfterUpdate(message: string): boolean {
  const key = `reloaded: ${message}`;
  const [isNone, setNone] = useState(sessionStorage.getItem(key) !== null);
  useEffect(() => {
    if (isNone) return;
    void isGatewayReachable().then((isThere) => {
      if (!isThere) {
        setNone(true);
        return;
      }
      sessionStorage.setItem(key, 'once');
      window.location.reload();
    });
  }, [isNone, key]);
  return isNone;
}

/** Shown when the code of a page fails to load. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const isLost = useIsUnreachable();
  const message = error instanceof Error ? error.message : String(error);
  useEffect(reportPossibleOutage, []);
  const isNoRelease = useReloadAfterUpdate(message);
  useReloadOnReturn(isLost);
  const retry = async () => {
    reset();
    await router.invalidate();
  };
  if (!isNoRelease) return null;
  return (
    <ErrorPage
      icon={IconPlugConnectedX}
      title={t('This page could not be loaded')}
      text={
        isLost
          ? t('The gateway is not reachable. Retrying…')
          : t('Page files could not be loaded. If the gateway was just updated, reload the page.')
      }
    >
      <Text size="xs" c="dimmed">
        {message}
      </Text>
      <Group mt="sm">
        <Button variant="light" onClick={() => void retry()}>
          {t('Try again')}
        </Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('Reload page')}
        </Button>
      </Group>
    </ErrorPage>
  );
}
