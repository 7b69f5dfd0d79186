import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ClientSetupProps } from './use-with-panel.tsx';

// Loaded on demand, because most visits do not need the snippets.
const Panel = lazy(async () => ({ default: (await import('./use-with-panel.tsx')).ClientSetupPanel }));

/** Inline snippets, loaded when shown. */
export function ClientSetup(props: ClientSetupProps) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Panel {...props} />
    </Suspense>
  );
}
