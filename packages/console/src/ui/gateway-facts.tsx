import type { Status } from '@headgate/contract';
import { Card, Group, SimpleGrid, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TextKey, useTranslation } from '../i18n/translate.ts';
import { formatTime } from '../lib/format/format.ts';
import { useStatus } from '../lib/page/status.ts';
import { Dot } from './status-dot.tsx';

const methods: readonly { readonly words: TextKey; readonly isOn: (status: Status) => boolean }[] = [
  { words: 'Email verification', isOn: (status) => status.email_verification },
  { words: 'GitHub login', isOn: (status) => status.github_oauth },
  { words: 'WeChat login', isOn: (status) => status.wechat_login },
  { words: 'Lark login', isOn: (status) => status.lark_client_id !== '' },
  { words: 'OpenID Connect login', isOn: (status) => status.oidc },
  { words: 'Bot check', isOn: (status) => status.turnstile_check },
];

/** Version and sign-in methods, for visitors on the home page and for super admins in the settings. */
export function GatewayFacts() {
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
          {t('Sign-in')}
        </Title>
        {methods.map(({ words, isOn }) => (
          <Fact key={words} name={t(words)}>
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
