import { Tooltip } from '@mantine/core';
import { useWords } from '../i18n/translate.ts';
import styles from './status-dot.module.css';

interface StatusDotProps {
  readonly status: number;
  /** The table of statuses from the contract; a number that is not in it is unknown. */
  readonly statuses: Readonly<Record<number, { readonly label: string; readonly color: string }>>;
  /** Why it is so, shown on hover and focus. */
  readonly reason?: string;
}

/** A status as a coloured dot and its word. */
export function StatusDot({ status, statuses, reason }: StatusDotProps) {
  const { t, label } = useWords();
  const row = statuses[status];
  return <Dot color={row?.color ?? 'gray'} words={row ? label(row.label) : t('Unknown')} reason={reason} />;
}

interface DotProps {
  /** Undefined: as usual, which needs no dot. */
  readonly color: string | undefined;
  readonly words: string;
  readonly reason?: string | undefined;
}

/** The meaning is in the word; the colour only makes it quicker to find. */
export function Dot({ color, words, reason }: DotProps) {
  const dot = (
    <span className={styles['status']} data-reason={reason ? true : undefined} {...(reason && { tabIndex: 0 })}>
      {color && (
        <span className={styles['dot']} style={{ backgroundColor: `var(--mantine-color-${color}-6)` }} aria-hidden />
      )}
      {words}
    </span>
  );
  return reason ? (
    <Tooltip label={reason} multiline maw={320}>
      {dot}
    </Tooltip>
  ) : (
    dot
  );
}
