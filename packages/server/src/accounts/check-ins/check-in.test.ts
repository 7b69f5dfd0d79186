import { checkInApi, statementApi } from '@headgate/contract';
import { expect, it } from 'vitest';
import { usePayments } from '../../testing/accounts/payment-fixture.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';

const { signedInUser, clock, rowOf, logsOf, setOption, app } = await usePayments({
  options: { CheckInEnabled: 'true', CheckInMinQuota: '1000', CheckInMaxQuota: '1003' },
});
const secondsPerDay = 86_400;
const already = apiFailure('You have already checked in today');

it('adds a random amount within the bounds once per day (UTC)', async () => {
  const { user, client } = await signedInUser();
  const next = (Math.floor(clock.seconds / secondsPerDay) + 1) * secondsPerDay;
  expect(await client.call(checkInApi.read)).toEqual({
    enabled: true,
    checked_in: false,
    min_quota: 1000,
    max_quota: 1003,
    next_time: next,
  });
  let total = 0;
  for (let day = 0; day < 40; day += 1) {
    const added = await client.call(checkInApi.run, { query: {} });
    expect(added).toBeGreaterThanOrEqual(1000);
    expect(added).toBeLessThanOrEqual(1003);
    total += added;
    expect((await client.send(checkInApi.run, { query: {} })).body).toEqual(already);
    clock.seconds += secondsPerDay;
  }
  expect(total % 1000).toBeGreaterThan(0);
  expect(await rowOf(user.id)).toMatchObject({ quota: total, credited: total });
  expect(await logsOf(user.id)).toHaveLength(40);
  const period = { start_timestamp: Math.floor(Date.now() / 1000) - 3600, end_timestamp: clock.seconds };
  expect(await client.call(statementApi.own, { query: period })).toMatchObject({ credited: total });
});

it('one of twenty concurrent check-ins of a user succeeds', async () => {
  const { user, client } = await signedInUser();
  const responses = await Promise.all(Array.from({ length: 20 }, () => client.send(checkInApi.run, { query: {} })));
  expect(responses.filter(({ body }) => JSON.stringify(body) === JSON.stringify(already))).toHaveLength(19);
  expect((await rowOf(user.id)).quota).toBeLessThanOrEqual(1003);
});

it('rejects check-ins while they are off, without a verified address or without the bot check', async () => {
  const { user, client } = await signedInUser();
  const check = async () => (await client.send(checkInApi.run, { query: {} })).body;
  await setOption('SMTPServer', 'smtp.example.com');
  await setOption('EmailVerificationEnabled', 'true');
  expect(await check()).toEqual(apiFailure('Bind an email address in your settings to check in'));
  await setOption('EmailVerificationEnabled', 'false');
  for (const [key, value] of [
    ['TurnstileSiteKey', 'site'],
    ['TurnstileSecretKey', 'secret'],
    ['TurnstileCheckEnabled', 'true'],
  ] as const)
    await setOption(key, value);
  expect(await check()).toEqual(apiFailure('The bot check failed; please reload the page and try again'));
  await setOption('TurnstileCheckEnabled', 'false');
  await setOption('CheckInEnabled', 'false');
  expect(await check()).toEqual(apiFailure('Daily check-ins are not available'));
  expect(await client.call(checkInApi.read)).toMatchObject({ enabled: false, checked_in: false });
  expect((await rowOf(user.id)).quota).toBe(0);
  expect((await app.client().send(checkInApi.run, { query: {} })).status).toBe(401);
});
