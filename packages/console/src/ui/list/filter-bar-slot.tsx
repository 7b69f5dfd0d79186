import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-slot.module.css';

interface FilterBarSlotProps {
  /** Number of filters stacked on a phone. */
  readonly lines: 2 | 3;
  readonly children: ReactNode;
}

/** Reserves space for filters that load later, so that the rows do not move. */
export function FilterBarSlot({ lines, children }: FilterBarSlotProps) {
  return (
    <div className={styles['place']} data-lines={lines}>
      <Suspense>{children}</Suspense>
    </div>
  );
}
