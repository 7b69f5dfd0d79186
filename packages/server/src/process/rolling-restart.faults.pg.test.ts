import { test } from 'vitest';
import { expectRollingRestart } from '../testing/process/rolling-restart.ts';

test('three nodes restarted one after the other under load lose no request and charge each once', () =>
  expectRollingRestart(3));
