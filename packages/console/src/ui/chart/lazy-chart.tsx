import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart.tsx';

/** Charts are loaded after the page that contains them. */
const Loaded = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

/** Height of the time axis and the margin above the plot. */
const frameHeight = 26;

export function LazyChart(props: ChartProps) {
  return (
    <Suspense
      fallback={
        <>
          {props.legend}
          <Skeleton height={props.height + frameHeight} />
        </>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
