import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface AccountCardProps {
  /** Heading of the card. */
  readonly title: string;
  readonly children: ReactNode;
}

/** Card used on pages without navigation: login, registration, password reset. */
export function AccountCard({ title, children }: AccountCardProps) {
  return (
    <Paper withBorder p="xl" w="100%" maw={400} shadow="xs">
      <Title order={1} ta="center" mb="xl">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
