import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface AccountCardProps {
  /** What is done here. */
  readonly words: string;
  readonly children: ReactNode;
}

/** The one card of the pages that stand alone: login, registration, password reset. */
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
