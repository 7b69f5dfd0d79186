import { test } from 'vitest';
import { killUnderLoad } from '../../testing/process/kill-under-load.ts';

test('[A9.1] charges and logs every received response once when killed under load twice', () => killUnderLoad(2));
