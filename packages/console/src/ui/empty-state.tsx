import { Stack, Text } from '@mantine/core';
import { IconInbox, IconSearchOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  readonly text: string;
  /** True if filters exclude all rows. */
  readonly isNarrowed?: boolean | undefined;
  /** Button that creates the first row, or shows all rows. */
  readonly children?: ReactNode;
}

/** Content of an empty list: an icon, one sentence and a button. */
export function EmptyState({ text, isNarrowed = false, children }: EmptyStateProps) {
  const Picture = isNarrowed ? IconSearchOff : IconInbox;
  return (
    <Stack align="center" gap="sm" py="lg">
      <Picture size={40} stroke={1.2} className={styles['picture'] ?? ''} aria-hidden />
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {children}
    </Stack>
  );
}
