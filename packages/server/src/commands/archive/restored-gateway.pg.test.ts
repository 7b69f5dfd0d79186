import { channelApi, ledgerApi, passkeyApi, secondFactorApi, sessionApi } from '@headgate/contract';
import {
  type ApiClient,
  done,
  roleChunk,
  SoftAuthenticator,
  stop,
  stream,
  textChunk,
  usageEvent,
} from '@headgate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { archiveFolder, exportArchive, restoreArchive } from '../../testing/commands/archive-fixture.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { sample } from '../../testing/sample.ts';
import { startTestApp, type TestApp, type TestUser } from '../../testing/test-app.ts';

// Only the date is faked; timers and sockets keep running.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const origin = 'https://gate.example';
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Signs in with the password and a second-factor code. */
async function signInWith(app: TestApp, { username, password }: TestUser, code: string) {
  const client = app.client();
  const { body } = await client.send(sessionApi.login, { body: { username, password } });
  const { ticket } = body as { ticket: string };
  return (await client.send(secondFactorApi.login, { body: { ticket, code } })).body;
}

async function turnOnSecondFactor(client: ApiClient) {
  const { secret } = await client.call(secondFactorApi.begin);
  const backupCodes = await client.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
  pass(30);
  return { secret, backupCodes };
}

async function addPasskey(client: ApiClient): Promise<SoftAuthenticator> {
  const device = new SoftAuthenticator(origin);
  const { ticket, options } = await client.call(passkeyApi.begin);
  await client.call(passkeyApi.create, { body: { ticket, response: device.create(options), name: 'phone' } });
  return device;
}

const moves = [
  ['sqlite', 'postgres'],
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['postgres', 'sqlite'],
] as const;

test.each(sample(moves, 2))(
  'a gateway that was moved from %s to %s with another secret key still works',
  async (from, to) => {
    using files = archiveFolder();
    await using source = await createTestDatabase(from);
    await using target = await createTestDatabase(to);
    const before = await startTestApp({ on: source, options: { ServerAddress: origin, ModelsWithoutPrice: 'charge' } });
    const respond = stream([roleChunk, textChunk('Hello'), stop, usageEvent, done]);
    const scene = await relayFixture(before, { upstreams: [respond], channel: { key: 'channel-secret-key-1' } });
    expect((await scene.chat({ stream: true, max_tokens: 10 })).status).toBe(200);
    const { secret, backupCodes } = await turnOnSecondFactor(scene.client);
    const device = await addPasskey(scene.client);
    const books = await scene.books();
    // The source keeps serving during the export.
    await exportArchive(files.path('all'), source);
    await before.close();

    await restoreArchive(files.path('all'), target);
    expect(await checkStoredLedger(target.location)).toMatchObject({ drift: 0, log_drift: 0, budget_drift: 0 });
    await using after = await startTestApp({ on: target });
    const signedIn = { success: true, data: { id: scene.user.id } };
    expect(await signInWith(after, scene.user, codeOf(secret))).toMatchObject(signedIn);
    expect(await signInWith(after, scene.user, backupCodes[0] ?? '')).toMatchObject(signedIn);
    expect(await signInWith(after, scene.user, backupCodes[0] ?? '')).toMatchObject({ success: false });
    const visitor = after.client();
    const { ticket, options } = await visitor.call(passkeyApi.beginLogin);
    const response = device.get(options);
    expect((await visitor.send(passkeyApi.login, { body: { ticket, response } })).body).toMatchObject(signedIn);

    const reply = await fetch(`${after.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        stream: true,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    });
    expect(await reply.text()).toContain('Hello');
    expect(scene.upstreams[0]?.received.at(-1)?.headers['authorization']).toBe('Bearer channel-secret-key-1');
    const admin = await after.as('admin');
    // A search for the complete key works only through its fingerprint.
    const found = await admin.call(channelApi.search, { query: { keyword: 'channel-secret-key-1' } });
    expect(JSON.stringify(found)).toContain(scene.group);
    expect(await admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, offenders: [] });
    const row = await after.database
      .selectFrom('users')
      .select(['credited', 'quota', 'used_quota'])
      .where('id', '=', scene.user.id)
      .executeTakeFirstOrThrow();
    expect(row.credited).toBe(books.user.credited);
    await scene.close();
  },
);
