import { test } from 'vitest';
import { expectOrderlyEnd } from '../../testing/process/closing-scene.ts';
import type { FaultOrder } from '../../testing/process/faulty-program.ts';

test.each<FaultOrder>(['throw 1', 'reject 1', 'reject 100'])(
  '[A24.11] an uncaught exception (%s) is logged once, a running stream completes and is charged, and the process exits with code 1',
  expectOrderlyEnd,
);
