import { registrationApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { apiSuccess } from '../../testing/relay/api-responses.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const box = await Mailbox.start();
afterAll(() => box.close());
const app = await useTestApp({
  options: {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(box.port),
    SMTPAccount: 'gateway@example.com',
    EmailVerificationEnabled: 'true',
  },
});

async function codeFor(email: string): Promise<string> {
  expect((await app.client().send(registrationApi.sendCode, { query: { email } })).body).toEqual(apiSuccess);
  const { text } = await box.mailTo(email);
  return /^[A-Z0-9]{6}$/m.exec(text)?.[0] ?? 'none';
}
const register = (node: TestApp, body: object) =>
  node.client().send(registrationApi.register, { body: { password: 'long enough', ...body } });

test('a code works on another node', async () => {
  await using other = await startTestApp({ beside: app });
  const email = 'node@example.com';
  const account = { username: 'node', email, verification_code: await codeFor(email) };
  expect((await register(other, account)).body).toEqual(apiSuccess);
});

test('a code used concurrently on two nodes creates one account', async () => {
  await using other = await startTestApp({ beside: app });
  const email = 'race@example.com';
  const verification_code = await codeFor(email);
  const responses = await Promise.all(
    [app, other, app, other, app].map((node, index) =>
      register(node, { username: `race${index}`, email, verification_code }),
    ),
  );
  expect(responses.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
  const rows = await app.database.selectFrom('users').select('id').where('email', '=', email).execute();
  expect(rows).toHaveLength(1);
});
