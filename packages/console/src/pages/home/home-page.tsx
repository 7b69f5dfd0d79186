import { isAdmin, statusApi } from '@headgate/contract';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { call } from '../../lib/api/call.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { useStatus } from '../../lib/page/status.ts';
import { CustomContent, CustomText } from '../../ui/custom-content.tsx';
import { GatewayInfo } from '../../ui/gateway-info.tsx';
import { StartCard } from './start-card.tsx';

/** Loaded only for signed-in users. */
const AdminHome = lazy(async () => ({ default: (await import('./admin-home.tsx')).AdminHome }));
const UserHome = lazy(async () => ({ default: (await import('./user-home.tsx')).UserHome }));

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
      <CustomContent text={content} />
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
  return <Suspense fallback={<Skeleton height={320} />}>{isAdmin(user) ? <AdminHome /> : <UserHome />}</Suspense>;
}

function BuiltInHome() {
  const { t } = useTranslation();
  const status = useStatus();
  const user = useUser();
  if (user && status.extensions)
    return (
      <Stack gap="lg">
        <Title order={1}>{t('Overview')}</Title>
        <Dashboard />
      </Stack>
    );
  return (
    <Stack gap="lg" maw={1760}>
      <div>
        <Title order={1}>{status.system_name}</Title>
        <Text c="dimmed">{t('One gateway for many AI model providers')}</Text>
      </div>
      <StartCard />
      <GatewayInfo />
    </Stack>
  );
}

/** Shows the notice; each text is shown once per browser. */
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
    showMessage('notice', <CustomText text={notice} />);
  }, [notice]);
}
