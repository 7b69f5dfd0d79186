import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-place.module.css';
import { useIsUnfolded } from './list-fold.ts';

interface FilterBarPlaceProps {
  /** Number of filter rows on a phone. */
  readonly lines: 2 | 3;
  readonly children: ReactNode;
}

/** Reserves space for filters that load later, so that the rows do not move. On a phone they appear when expanded. */
export function FilterBarPlace({ lines, children }: FilterBarPlaceProps) {
  if (!useIsUnfolded()) return null;
  return (
    <div className={styles['place']} data-lines={lines}>
      <Suspense>{children}</Suspense>
    </div>
  );
}
