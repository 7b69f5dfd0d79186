import { lazy, Suspense } from 'react';
import styles from './export.module.css';
import type { ExportButtonProps } from './export-button.tsx';

// Come after the rows, together: they can be read without.
const parts = () => import('./export-parts.ts');
const ExportMenu = lazy(async () => ({ default: (await parts()).ExportMenu }));
const ExportProgress = lazy(async () => ({ default: (await parts()).ExportProgress }));

/** The button of a list that writes it into a file. */
export const ListExport = (props: ExportButtonProps) => (
  <Suspense fallback={<div className={styles['place']} />}>
    <ExportMenu {...props} />
  </Suspense>
);

/** How far that is. */
export const ListExportProgress = ({ list }: Pick<ExportButtonProps, 'list'>) => (
  <Suspense>
    <ExportProgress list={list} />
  </Suspense>
);
