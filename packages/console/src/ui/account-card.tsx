import { defaultLogo } from '@headgate/contract';
import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useStatus } from '../lib/status.ts';

interface AccountCardProps {
  /** What is done here, under the gateway's name. */
  readonly words: string;
  readonly children: ReactNode;
}

/** The one card of the pages that stand alone: login, registration, password reset. */
export function AccountCard({ words, children }: AccountCardProps) {
  const { system_name, logo } = useStatus();
  return (
    <Paper withBorder p="xl" w="100%" maw={400} shadow="xs">
      <Stack align="center" gap={4} mb="xl">
        <img src={logo || defaultLogo} alt="" width={48} height={48} style={{ marginBottom: 12 }} />
        <Title order={1} ta="center">
          {system_name}
        </Title>
        <Text c="dimmed" ta="center">
          {words}
        </Text>
      </Stack>
      {children}
    </Paper>
  );
}
