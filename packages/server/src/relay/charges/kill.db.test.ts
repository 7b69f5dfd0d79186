import { inject, test } from 'vitest';
import { killUnderLoad } from '../../testing/process/kill-scene.ts';

/** On PostgreSQL, requests after a kill wait until the leases of the killed node expire. */
const kills = inject('database') === 'sqlite' ? 2 : 1;

test(`[A9.1] kill -9 under load (${kills}): every response a client received is logged and charged once`, () =>
  killUnderLoad(kills));
