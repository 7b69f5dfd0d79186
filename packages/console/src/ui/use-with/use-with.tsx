import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { UseWithProps } from './use-with-panel.tsx';

// Long texts that most visits do not look at.
const Panel = lazy(async () => ({ default: (await import('./use-with-panel.tsx')).UseWithPanel }));

/** The snippets in place, fetched when they are shown. */
export function UseWith(props: UseWithProps) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Panel {...props} />
    </Suspense>
  );
}
