import { isAdmin, type Status, statusApi } from '@headgate/contract';
import { Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { call } from '../../lib/api/call.ts';
import { formatTime } from '../../lib/format/format.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { OwnerContent, OwnerText } from '../../ui/owner-content.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { StartCard } from './start-card.tsx';

/** Loaded only for signed-in users. */
const AdminHome = lazy(async () => ({ default: (await import('./admin-home.tsx')).AdminHome }));
const OwnHome = lazy(async () => ({ default: (await import('./own-home.tsx')).OwnHome }));

export function HomePage() {
  useNotice();
  const { data: content, isPending } = useQuery({
    queryKey: ['home-page-content'],
    queryFn: ({ signal }) => call(statusApi.homePageContent, {}, { signal }),
    retry: false,
    meta: { quiet: true },
  });
  if (isPending) return <Skeleton height={160} />;
  if (!content) return <BuiltInHome />;
  return (
    <>
      <OwnerContent text={content} />
      <Dashboard />
    </>
  );
}

/** Dashboard of the signed-in user. */
function Dashboard() {
  const user = useUser();
  // Other servers with the same API have no dashboard.
  const { extensions } = useStatus();
  if (!user || !extensions) return null;
  return <Suspense fallback={<Skeleton height={320} />}>{isAdmin(user) ? <AdminHome /> : <OwnHome />}</Suspense>;
}

const methods: readonly { readonly words: TextKey; readonly isOn: (status: Status) => boolean }[] = [
  { words: 'Email verification', isOn: (status) => status.email_verification },
  { words: 'GitHub login', isOn: (status) => status.github_oauth },
  { words: 'WeChat login', isOn: (status) => status.wechat_login },
  { words: 'Lark login', isOn: (status) => status.lark_client_id !== '' },
  { words: 'OpenID Connect login', isOn: (status) => status.oidc },
  { words: 'Bot check', isOn: (status) => status.turnstile_check },
];

function BuiltInHome() {
  const { t } = useTranslation();
  const status = useStatus();
  return (
    <Stack gap="lg" maw={1760}>
      <div>
        <Title order={1}>{status.system_name}</Title>
        <Text c="dimmed">{t('One gateway for many AI model providers')}</Text>
      </div>
      <Dashboard />
      <StartCard />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Card withBorder padding="lg">
          <Title order={2} mb="sm">
            {t('System')}
          </Title>
          <Fact name={t('Name')}>{status.system_name}</Fact>
          <Fact name={t('Version')}>{status.version || '—'}</Fact>
          <Fact name={t('Started')}>{status.start_time ? formatTime(status.start_time) : '—'}</Fact>
        </Card>
        <Card withBorder padding="lg">
          <Title order={2} mb="sm">
            {t('Sign-in')}
          </Title>
          {methods.map(({ words, isOn }) => (
            <Fact key={words} name={t(words)}>
              <Dot color={isOn(status) ? 'green' : 'gray'} text={isOn(status) ? t('On') : t('Off')} />
            </Fact>
          ))}
        </Card>
      </SimpleGrid>
    </Stack>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Group justify="space-between" py={6} wrap="nowrap">
      <Text c="dimmed">{name}</Text>
      <Text component="div" truncate>
        {children}
      </Text>
    </Group>
  );
}

/** Shows the notice, each text once per browser. */
function useNotice(): void {
  const { data: notice } = useQuery({
    queryKey: ['notice'],
    queryFn: ({ signal }) => call(statusApi.notice, {}, { signal }),
    retry: false,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (!notice || localStorage.getItem('notice') === notice) return;
    localStorage.setItem('notice', notice);
    showMessage('notice', <OwnerText text={notice} />);
  }, [notice]);
}
