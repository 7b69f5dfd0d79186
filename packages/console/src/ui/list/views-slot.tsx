import { lazy, Suspense } from 'react';
import type { SavedViewsProps } from './saved-views.tsx';
import styles from './views-slot.module.css';

// Loaded after the rows.
const SavedViews = lazy(async () => ({ default: (await import('./saved-views.tsx')).SavedViews }));

/** Saved views of a list, with reserved space while loading. */
export const ViewsSlot = (props: SavedViewsProps) => (
  <Suspense fallback={<div className={styles['place']} />}>
    <SavedViews {...props} />
  </Suspense>
);
