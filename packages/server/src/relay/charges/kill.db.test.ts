import { inject, test } from 'vitest';
import { killUnderLoad } from '../../testing/process/kill-under-load.ts';

/** On PostgreSQL, requests after a kill wait until the leases of the killed node expire, which takes long. */
const kills = inject('database') === 'sqlite' ? 2 : 1;

test(`[A9.1] charges and logs every received response once when killed under load (${kills} times)`, () =>
  killUnderLoad(kills));
