import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-place.module.css';
import { useIsUnfolded } from './list-fold.ts';

interface FilterBarPlaceProps {
  /** How many lines of filters there are on a phone. */
  readonly lines: 2 | 3;
  readonly children: ReactNode;
}

/** Room for filters that are yet to come: the rows below stay where they are. On a phone they come when unfolded. */
export function FilterBarPlace({ lines, children }: FilterBarPlaceProps) {
  if (!useIsUnfolded()) return null;
  return (
    <div className={styles['place']} data-lines={lines}>
      <Suspense>{children}</Suspense>
    </div>
  );
}
