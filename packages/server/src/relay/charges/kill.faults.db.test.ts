import { test } from 'vitest';
import { killUnderLoad } from '../../testing/process/kill-under-load.ts';

test('[A9.1] charges and logs every received response once when killed under load ten times', () => killUnderLoad(10));
