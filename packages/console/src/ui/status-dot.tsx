import { Tooltip } from '@mantine/core';
import { useTranslation } from '../i18n/translate.ts';
import styles from './status-dot.module.css';

interface StatusDotProps {
  readonly status: number;
  /** Status table from the contract; other numbers are unknown. */
  readonly statuses: Readonly<Record<number, { readonly label: string; readonly color: string }>>;
  /** Explanation, shown on hover and focus. */
  readonly reason?: string;
}

/** A status as a colored dot with text. */
export function StatusDot({ status, statuses, reason }: StatusDotProps) {
  const { t, label } = useTranslation();
  const row = statuses[status];
  return <Dot color={row?.color ?? 'gray'} text={row ? label(row.label) : t('Unknown')} reason={reason} />;
}

interface DotProps {
  /** Undefined for the normal state, which has no dot. */
  readonly color: string | undefined;
  readonly text: string;
  readonly reason?: string | undefined;
}

/** The text carries the meaning; the color only makes it easier to spot. */
export function Dot({ color, text, reason }: DotProps) {
  const dot = (
    <span className={styles['status']} data-reason={reason ? true : undefined} {...(reason && { tabIndex: 0 })}>
      {color && (
        <span className={styles['dot']} style={{ backgroundColor: `var(--mantine-color-${color}-6)` }} aria-hidden />
      )}
      {text}
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
