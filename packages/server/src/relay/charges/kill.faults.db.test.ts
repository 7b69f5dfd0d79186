import { test } from 'vitest';
import { killUnderLoad } from '../../testing/process/kill-scene.ts';

test('[A9.1] kill -9 under load, ten times: every response a client received is logged and charged once', () =>
  killUnderLoad(10));
