import { Stack, Text } from '@mantine/core';
import { IconInbox, IconSearchOff, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, use } from 'react';
import styles from './empty-state.module.css';
import { PageIcon } from './page-icon.ts';

interface EmptyStateProps {
  readonly text: string;
  /** True if filters exclude all rows. */
  readonly isNarrowed?: boolean | undefined;
  /** By default, the icon of the page. */
  readonly icon?: TablerIcon | undefined;
  /** Button that creates the first row, or shows all rows. */
  readonly children?: ReactNode;
}

/** Content of an empty list: an icon, one sentence and a button. */
export function EmptyState({ text, isNarrowed = false, icon, children }: EmptyStateProps) {
  const pageIcon = use(PageIcon);
  const Picture = isNarrowed ? IconSearchOff : (icon ?? pageIcon ?? IconInbox);
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
