import { Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { EmptyState } from '../empty-state.tsx';
import { LoadFailed } from '../load-failed.tsx';
import styles from './row-section.module.css';

interface RowSectionProps<Row> {
  readonly title: string;
  readonly help?: string | undefined;
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly errorTitle: string;
  readonly onRetry: () => void;
  /** Text shown if there are no rows. */
  readonly empty: string;
  /** Icon above this text; false for a line of text, if another section has to be filled first. */
  readonly emptyIcon?: TablerIcon | false | undefined;
  /** Next to the title: an add button or a filter. */
  readonly tool: ReactNode;
  /** Renders a row as a `SectionRow`. */
  readonly children: (row: Row) => ReactNode;
  readonly footer?: ReactNode;
}

/** Section with a few rows that are edited in a dialog. */
export function RowSection<Row>(props: RowSectionProps<Row>) {
  const { title, help, rows, error, errorTitle, onRetry, empty, emptyIcon, tool, children, footer } = props;
  const id = useId();
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Stack gap="md">
        <div>
          <Group justify="space-between">
            <Title order={2} size="h3" id={id}>
              {title}
            </Title>
            {tool}
          </Group>
          {help && (
            <Text size="sm" c="dimmed" mt={4}>
              {help}
            </Text>
          )}
        </div>
        {error && !rows && <LoadFailed title={errorTitle} error={error} onRetry={onRetry} />}
        {!rows && !error && <Skeleton height={80} />}
        {rows?.length === 0 &&
          (emptyIcon === false ? (
            <Text size="sm" c="dimmed">
              {empty}
            </Text>
          ) : (
            <EmptyState text={empty} icon={emptyIcon} />
          ))}
        {rows && rows.length > 0 && <ul className={styles['rows']}>{rows.map(children)}</ul>}
        {footer}
      </Stack>
    </Paper>
  );
}

interface AddButtonProps {
  readonly label: string;
  readonly isOff?: boolean | undefined;
  readonly onClick: () => void;
}

export function AddButton({ label, isOff = false, onClick }: AddButtonProps) {
  return (
    <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={isOff} onClick={onClick}>
      {label}
    </Button>
  );
}

interface SectionRowProps {
  /** Content before the text, such as a mark or a switch. */
  readonly before?: ReactNode;
  readonly children: ReactNode;
  readonly actions: ReactNode;
  /** Content below the row. */
  readonly after?: ReactNode;
}

export function SectionRow({ before, children, actions, after }: SectionRowProps) {
  return (
    <li className={styles['row']}>
      {before}
      <div className={styles['words']}>{children}</div>
      <Group gap="xs" className={styles['actions'] ?? ''}>
        {actions}
      </Group>
      {after}
    </li>
  );
}
