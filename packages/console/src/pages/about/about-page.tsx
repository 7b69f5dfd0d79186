import { productName, statusApi } from '@headgate/contract';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { useStatus } from '../../lib/page/status.ts';
import { CustomContent } from '../../ui/custom-content.tsx';

export function AboutPage() {
  const { data: content, isPending } = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => call(statusApi.about, {}, { signal }),
    retry: false,
    meta: { quiet: true },
  });
  if (isPending) return <Skeleton height={160} />;
  return content ? <CustomContent text={content} /> : <BuiltInAbout />;
}

function BuiltInAbout() {
  const { t } = useTranslation();
  const { version } = useStatus();
  return (
    <Stack gap="sm" maw={640}>
      <Title order={1}>{t('About')}</Title>
      <Text>
        {t('{product} relays requests to many AI model providers and tracks the quota each request uses.', {
          product: productName,
        })}
      </Text>
      <Text c="dimmed">{t('Version {version}. You can edit this page in the settings.', { version })}</Text>
    </Stack>
  );
}
