import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface OverviewSectionProps {
  readonly title: string;
  /** A link or a count next to the title. */
  readonly tool?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of the channel page. */
export function OverviewSection({ title, tool, children }: OverviewSectionProps) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {title}
        </Title>
        {tool}
      </Group>
      {children}
    </Paper>
  );
}
