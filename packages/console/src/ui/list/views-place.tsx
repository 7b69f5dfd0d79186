import { lazy, Suspense } from 'react';
import type { SavedViewsProps } from './saved-views.tsx';
import styles from './views-place.module.css';

// Comes after the rows: they can be read without it.
const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

/** The saved views of a list, with room for them while they are yet to come. */
export const ViewsPlace = (props: SavedViewsProps) => (
  <Suspense fallback={<div className={styles['place']} />}>
    <SavedViews {...props} />
  </Suspense>
);
