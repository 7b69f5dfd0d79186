import { registrationApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const gifts = { QuotaForNewUser: '1000', QuotaForInvitee: '200', QuotaForInviter: '300' };
const app = await useTestApp({ options: gifts });
const { logsOf, rowOf } = accountsOf(app);
const register = (body: object) => app.client().send(registrationApi.register, { body });

test('twenty concurrent registrations of one name create one account, one token and one reward', async () => {
  const inviter = await app.createUser({ aff_code: 'Race' });
  const tokensBefore = await app.database.selectFrom('tokens').select('id').execute();
  const body = { username: 'contended', password: 'long enough', aff_code: 'Race' };
  const responses = await Promise.all(Array.from({ length: 20 }, () => register(body)));
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const bodies = responses.map((response) => JSON.stringify(response.body));
  expect(bodies.filter((text) => text === JSON.stringify(apiSuccess))).toHaveLength(1);
  expect(bodies.filter((text) => text.includes('This username is taken'))).toHaveLength(19);
  const accounts = await app.database.selectFrom('users').selectAll().where('inviter_id', '=', inviter.id).execute();
  expect(accounts).toMatchObject([{ username: 'contended', quota: 1200 }]);
  const tokens = await app.database.selectFrom('tokens').select('id').execute();
  expect(tokens).toHaveLength(tokensBefore.length + 1);
  expect(await rowOf(inviter.id)).toMatchObject({ quota: 300, credited: 300 });
  expect(await logsOf(inviter.id)).toHaveLength(1);
  expect(await logsOf(accounts[0]?.id ?? 0)).toHaveLength(3);
  await expectBalancedLedger(app.database);
});

test('ten concurrent registrations with one invite code are all rewarded', async () => {
  const inviter = await app.createUser({ aff_code: 'Many' });
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      register({ username: `many${index}`, password: 'long enough', aff_code: 'Many' }),
    ),
  );
  expect(responses.map(({ body }) => body)).toEqual(Array(10).fill(apiSuccess));
  expect(await rowOf(inviter.id)).toMatchObject({ quota: 3000, credited: 3000 });
  await expectBalancedLedger(app.database);
});

test('[A8.3] concurrent registrations with three spellings of one address earn one welcome quota', async () => {
  await using box = await Mailbox.start();
  const mail = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' };
  await using verified = await startTestApp({ options: { ...gifts, ...mail, EmailVerificationEnabled: 'true' } });
  const { database } = verified;
  const bodies = [];
  for (const [index, email] of ['race@example.com', 'race+1@example.com', 'race+2@example.com'].entries()) {
    // A mailbox has only one code at a time.
    await database.deleteFrom('codes').execute();
    expect((await verified.client().send(registrationApi.sendCode, { query: { email } })).body).toEqual(apiSuccess);
    const { text } = await box.mailTo(email);
    const verification_code = /^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? '';
    const codes = await database.selectFrom('codes').selectAll().execute();
    bodies.push({ codes, body: { username: `race${index}`, password: 'long enough', email, verification_code } });
  }
  await database.deleteFrom('codes').execute();
  await database
    .insertInto('codes')
    .values(bodies.flatMap(({ codes }) => codes))
    .execute();
  await Promise.all(bodies.map(({ body }) => verified.client().call(registrationApi.register, { query: {}, body })));
  const rows = await database.selectFrom('users').select('quota').where('username', 'like', 'race_').execute();
  expect(rows.map(({ quota }) => quota).sort()).toEqual([0, 0, 1000]);
});
