import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './chart-legend.module.css';

interface LegendItem {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** Shown after the label. */
  readonly value?: string;
  readonly isPressed: boolean;
  readonly title: string;
  onToggle(): void;
}

interface ChartLegendProps {
  readonly items: readonly LegendItem[];
  /** True if an item that is not pressed is hidden in the chart. */
  readonly isHiding?: boolean;
  /** Content after the items. */
  readonly children?: ReactNode;
}

/** Series with their colors, in one row that scrolls sideways on a phone. */
export function ChartLegend({ items, isHiding = false, children }: ChartLegendProps) {
  return (
    <div className={styles['legend']}>
      {items.map(({ name, label, color, value, isPressed, title, onToggle }) => (
        <UnstyledButton
          key={name}
          className={styles['item'] ?? ''}
          aria-pressed={isPressed}
          data-hidden={(isHiding && !isPressed) || undefined}
          data-chosen={(!isHiding && isPressed) || undefined}
          title={title}
          onClick={onToggle}
        >
          <i style={{ background: color }} aria-hidden /> <span className={styles['label']}>{label}</span>
          {value && <b>{value}</b>}
        </UnstyledButton>
      ))}
      {children}
    </div>
  );
}
