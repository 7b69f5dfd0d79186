import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-place.module.css';

interface FilterBarPlaceProps {
  /** How many lines of filters there are on a phone. */
  readonly lines: 2 | 3;
  readonly children: ReactNode;
}

/** Room for filters that are yet to come: the rows below stay where they are. */
export const FilterBarPlace = ({ lines, children }: FilterBarPlaceProps) => (
  <div className={styles['place']} data-lines={lines}>
    <Suspense>{children}</Suspense>
  </div>
);
