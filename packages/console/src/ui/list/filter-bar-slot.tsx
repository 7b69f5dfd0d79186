import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-slot.module.css';
import { useFiltersVisible } from './filters-visible.ts';

interface FilterBarSlotProps {
  /** Number of filters stacked on a phone. */
  readonly lines: 2 | 3;
  readonly children: ReactNode;
}

/** Reserves space for filters that load later, so that the rows do not move. On a phone they appear when expanded. */
export function FilterBarSlot({ lines, children }: FilterBarSlotProps) {
  if (!useFiltersVisible()) return null;
  return (
    <div className={styles['place']} data-lines={lines}>
      <Suspense>{children}</Suspense>
    </div>
  );
}
