import { test } from 'vitest';
import { expectRollingRestart } from '../testing/process/rolling-restart.ts';

test('restarts three nodes one after another under load without losing a request or charging one twice', () =>
  expectRollingRestart(3));
