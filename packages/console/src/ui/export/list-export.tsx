import { lazy, Suspense } from 'react';
import styles from './export.module.css';
import type { ExportButtonProps } from './export-button.tsx';

// Loaded after the rows, in one chunk.
const parts = () => import('./export-parts.ts');
const ExportMenu = lazy(async () => ({ default: (await parts()).ExportMenu }));
const ExportProgress = lazy(async () => ({ default: (await parts()).ExportProgress }));

/** Export button of a list. */
export const ListExport = (props: ExportButtonProps) => (
  <Suspense fallback={<div className={styles['place']} />}>
    <ExportMenu {...props} />
  </Suspense>
);

export const ListExportProgress = ({ list }: Pick<ExportButtonProps, 'list'>) => (
  <Suspense>
    <ExportProgress list={list} />
  </Suspense>
);
