import { lazy, type ReactNode, Suspense } from 'react';
import type { RowAction } from './column.ts';
import styles from './managed-name.module.css';
import { RowActions } from './row-actions.tsx';

// Loaded with the first managed row.
const ManagedBadge = lazy(async () => ({ default: (await import('../managed/managed-row.tsx')).ManagedBadge }));
const ManagedActions = lazy(async () => ({ default: (await import('../managed/managed-row.tsx')).ManagedActions }));

/** Name of a managed row, with its mark. */
export function ManagedName({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['marked']}>
      <div>{children}</div>
      <Suspense>
        <ManagedBadge />
      </Suspense>
    </div>
  );
}

interface RowActionsCellProps {
  readonly actions: readonly RowAction[];
  readonly rowName: string;
  readonly isManaged: boolean;
}

export function RowActionsCell({ isManaged, ...props }: RowActionsCellProps) {
  const actions = <RowActions {...props} />;
  return isManaged ? (
    <Suspense fallback={actions}>
      <ManagedActions {...props} />
    </Suspense>
  ) : (
    actions
  );
}
