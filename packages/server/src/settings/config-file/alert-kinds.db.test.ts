import { alertApi, defaultRoot } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };

async function useScene() {
  const place = await createMigratedDatabase();
  onTestFinished(() => place.drop());
  const scene = new ConfigFileFixture(place);
  onTestFinished(() => scene[Symbol.dispose]());
  Object.assign(scene.variables, { SLACK: 'https://hooks.slack.example/services/T/B/secret-part', KEY: 'sk-one' });
  return { place, scene };
}

const file = {
  channels: { main: { type: 'OpenAI', key: { env: 'KEY' }, models: ['gpt-4o'] } },
  destinations: {
    'On-call': { kind: 'slack', language: 'en', settings: { address: { env: 'SLACK' } } },
    Mailbox: { kind: 'email', settings: { to: 'ops@example.com' } },
  },
  alerts: {
    failing: { kind: 'failure_rate', threshold: 20, channels: ['main'], destinations: ['On-call', 'Mailbox'] },
    'new admins': { kind: 'new_admin', destinations: ['Mailbox'], enabled: false },
  },
};

test('creates destinations and alerts, leaves unchanged ones as they are, and protects them from manual changes', async () => {
  const { place, scene } = await useScene();
  scene.write(file);
  const lines = await scene.apply();
  expect(lines.join()).not.toContain('secret-part');
  expect(await scene.plan()).toEqual(nothing);
  await using app = await startTestApp({ on: place });
  const root = await app.signedIn(defaultRoot.username, defaultRoot.password);
  const destinations = await root.call(alertApi.receivers);
  expect(destinations).toMatchObject([
    { name: 'On-call', kind: 'slack', place: 'hooks.slack.example' },
    { name: 'Mailbox', settings: { to: 'ops@example.com' } },
  ]);
  const [failing] = await root.call(alertApi.rules);
  expect(failing).toMatchObject({
    name: 'failing',
    threshold: 20,
    repeat_minutes: 60,
    receivers: [1, 2],
    channels: [1],
  });
  const params = { id: 1 };
  expect((await root.send(alertApi.removeReceiver, { params })).body).toEqual(apiFailure(/managed/));
  expect((await root.send(alertApi.removeRule, { params })).body).toEqual(apiFailure(/managed/));
});

test('renames a destination, replaces a destination of another kind, and prunes', async () => {
  const { scene } = await useScene();
  scene.write(file);
  await scene.apply();
  scene.write({
    ...file,
    destinations: {
      Duty: { ...file.destinations['On-call'], previous_name: 'On-call' },
      Mailbox: { kind: 'ntfy', settings: { topic: { env: 'KEY' } } },
    },
    alerts: { failing: { ...file.alerts.failing, destinations: ['Duty', 'Mailbox'] } },
  });
  expect((await scene.plan({ isPruning: true })).lines).toEqual(
    expect.arrayContaining(['    name: "On-call" → "Duty"', '- alert rule "new admins"']),
  );
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
});

test.each([
  [{ kind: 'slack', settings: { address: 'https://plain.example' } }, /destinations\.x\.settings\.address is a secret/],
  [{ kind: 'email', settings: { to: 'nobody' } }, /settings\.to \(Email addresses\) must be 1 to 10 email addresses/],
  [{ kind: 'slack', settings: {} }, /settings\.address \(Webhook URL\) is required/],
])('rejects the destination %j and names its field', async (destination, message) => {
  const { scene } = await useScene();
  scene.write({ destinations: { x: destination } });
  await expect(scene.plan()).rejects.toThrow(message);
});
