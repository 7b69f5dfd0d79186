import type { ReactNode } from 'react';
import styles from './page-actions.module.css';

/** Buttons beside the title of a page. */
export function PageActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{children}</div>;
}
