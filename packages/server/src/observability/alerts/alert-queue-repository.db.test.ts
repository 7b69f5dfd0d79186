import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';
import { AlertQueueRepository } from './alert-queue-repository.ts';

// Alerts of the app itself are sent after an hour.
const app = await useTestApp({ alertPace: { pollMs: 3_600_000 } });
const queue = new AlertQueueRepository(app.database);

const now = 1_900_000_000;
const hour = 3600;
const year = 365 * 24 * hour;

describe('[A73.6] after the clock was set back', () => {
  it('sends alerts that are due or leased in the far future', async () => {
    const row = { kind: 'new_admin', receiver_id: 1, receiver_kind: 'webhook', receiver_name: 'w', title: 't' };
    await queue.add([
      { ...row, event_id: 'e', message: '{}', state: 'waiting', created_time: now, next_time: now + hour },
    ]);
    const lease = async () => (await queue.lease(now, 90_000, 10)).map(({ event_id }) => event_id);
    const store = (columns: object) => app.database.updateTable('alert_queue').set(columns).execute();
    expect(await lease()).toEqual([]);
    await store({ next_time: now + year });
    expect(await lease()).toEqual(['e']);
    expect(await lease()).toEqual([]);
    await store({ leased_ms: Date.now() + year * 1000 });
    expect(await lease()).toEqual(['e']);
  });

  it('repeats alerts whose last time is in the future, except within the difference between nodes', async () => {
    const claim = (time: number) => queue.claim({ rule: 1, subject: 's', time, repeatSeconds: hour });
    expect(await claim(now + year)).toBe(true);
    expect(await claim(now)).toBe(true);
    expect(await claim(now - 60)).toBe(false);
    expect(await claim(now + 60)).toBe(false);
    expect(await claim(now + hour)).toBe(true);
  });
});
