import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface AccountCardProps {
  /** Heading of the card. */
  readonly words: string;
  readonly children: ReactNode;
}

/** Card of the pages without navigation: login, registration, password reset. */
export function AccountCard({ words, children }: AccountCardProps) {
  return (
    <Paper withBorder p="xl" w="100%" maw={400} shadow="xs">
      <Title order={1} ta="center" mb="xl">
        {words}
      </Title>
      {children}
    </Paper>
  );
}
