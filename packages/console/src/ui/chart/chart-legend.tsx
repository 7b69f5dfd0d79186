import { UnstyledButton } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import styles from './chart-legend.module.css';

interface LegendItem {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** Shown after the label. */
  readonly value?: string;
  readonly isPressed: boolean;
  readonly title: string;
  onToggle(click: LegendClick): void;
}

interface ChartLegendProps {
  readonly items: readonly LegendItem[];
  /** True if an item that is not pressed is hidden in the chart. */
  readonly isHiding?: boolean;
  /** Content after the items. */
  readonly children?: ReactNode;
}

/** How a series is chosen: a click or Enter, the second one of a double click, or with a modifier key. */
export type LegendClick = 'single' | 'double' | 'modifier';

type WithModifiers = Pick<MouseEvent, 'ctrlKey' | 'metaKey' | 'shiftKey'>;

const hasModifier = ({ ctrlKey, metaKey, shiftKey }: WithModifiers): boolean => ctrlKey || metaKey || shiftKey;

function clickOf(event: MouseEvent): LegendClick {
  if (hasModifier(event)) return 'modifier';
  return event.detail === 2 ? 'double' : 'single';
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
          onClick={(event) => onToggle(clickOf(event))}
          onKeyDown={(event) => {
            // Browsers do not turn it into a click.
            if (event.key !== 'Enter' || !hasModifier(event)) return;
            event.preventDefault();
            onToggle('modifier');
          }}
        >
          <i style={{ background: color }} aria-hidden /> <span className={styles['label']}>{label}</span>
          {value && <b>{value}</b>}
        </UnstyledButton>
      ))}
      {children}
    </div>
  );
}
