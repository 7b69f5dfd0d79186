import { test } from 'vitest';
import type { CrashCommand } from '../../testing/process/faulty-program.ts';
import { expectGracefulExit } from '../../testing/process/shutdown-fixture.ts';

test.each<CrashCommand>(['throw 1', 'reject 1', 'reject 100'])(
  '[A24.11] an uncaught exception (%s) is logged once, a running stream completes and is charged, and the process exits with code 1',
  expectGracefulExit,
);
