import { type ReactNode, Suspense } from 'react';
import styles from './filter-bar-place.module.css';

/** Room for a row of filters that is yet to come: the rows below stay where they are. */
export const FilterBarPlace = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['place']}>
    <Suspense>{children}</Suspense>
  </div>
);
