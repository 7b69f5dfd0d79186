import type { Status } from '@headgate/contract';
import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TextKey, useTranslation } from '../i18n/translate.ts';
import { formatTime } from '../lib/format/format.ts';
import { useStatus } from '../lib/page/status.ts';
import { Dot } from './status-dot.tsx';

const methods: readonly { readonly label: TextKey; readonly isOn: (status: Status) => boolean }[] = [
  { label: 'Email verification', isOn: (status) => status.email_verification },
  { label: 'GitHub login', isOn: (status) => status.github_oauth },
  { label: 'WeChat login', isOn: (status) => status.wechat_login },
  { label: 'Lark login', isOn: (status) => status.lark_client_id !== '' },
  { label: 'OpenID Connect login', isOn: (status) => status.oidc },
  { label: 'Bot check', isOn: (status) => status.turnstile_check },
];

/** Version and sign-in methods, for visitors on the home page and for super admins in the settings. */
export function GatewayInfo() {
  const { t } = useTranslation();
  const status = useStatus();
  return (
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
          {t('Login')}
        </Title>
        {methods.map(({ label, isOn }) => (
          <Fact key={label} name={t(label)}>
            <Dot color={isOn(status) ? 'green' : 'gray'} text={isOn(status) ? t('On') : t('Off')} />
          </Fact>
        ))}
      </Card>
    </SimpleGrid>
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
