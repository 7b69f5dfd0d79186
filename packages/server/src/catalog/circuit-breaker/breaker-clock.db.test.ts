import { expect, it } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { BreakerRepository } from './breaker-repository.ts';

const now = 1_900_000_000;
// The app's own tests start after an hour.
const app = await useTestApp({ pausing: { clock: () => now, everyMs: 3_600_000 } });
const year = 365 * 86_400;

it('[A73.6] tests models that are due, or planned by a clock that was ahead, once', async () => {
  const { id: channel_id } = await createChannel(app, await app.as('root'));
  const pauses = new BreakerRepository(app.database);
  const times = { since: now, next_probe: now + 60, pause: 60, is_disabled: 0 };
  const pause = await pauses.begin({ channel_id, model: 'm', reason: '', message: '', status: 0, ...times });
  const claimed = async () => (await pauses.claimDue(now, now + 120)).map(({ id }) => id);
  expect(await claimed()).toEqual([]);
  await pauses.postpone(pause?.id ?? 0, { next_probe: now + year });
  expect([await claimed(), await claimed()]).toEqual([[pause?.id], []]);
});
