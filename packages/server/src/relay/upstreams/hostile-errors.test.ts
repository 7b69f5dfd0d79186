import { channelApi, channelStatus, logReasons, logType } from '@headgate/contract';
import { reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { multiKeyFixture, numberedKey } from '../../testing/relay/multi-key-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '0', AutomaticDisableChannelEnabled: 'true' } });

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  '[A47.4] logs a known reason for an upstream error with code %s',
  async (word) => {
    const response = reply({ error: { message: 'no', code: word, type: word } }, 503);
    const scene = await relayFixture(app, { upstreams: [response] });
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(503);
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: logType.failure, status: 503, quota: 0 }]);
    expect(Object.keys(logReasons)).toContain(logs[0]?.reason);
    expect(drift).toBe(0);
    await scene.close();
  },
);

const unstorable = reply({ error: { message: 'Incorrect API key \0 provided \ud800', code: 'invalid_api_key' } }, 401);

test('[A53.12] disables a channel even if its error message cannot be stored', async () => {
  const scene = await relayFixture(app, { upstreams: [unstorable] });
  await (await scene.chat()).text();
  const channel = () =>
    app.database.selectFrom('channels').select('status').where('group', '=', scene.group).executeTakeFirst();
  await expect.poll(channel).toEqual({ status: channelStatus.disabledByMonitor });
  const listedChannel = async () => (await scene.admin.call(channelApi.list, { query: { group: scene.group } }))[0];
  await expect
    .poll(listedChannel)
    .toMatchObject({ failure_message: expect.stringMatching(/^Incorrect API key {2}provided/) });
  await scene.close();
});

test('[A53.12] disables a key even if its error message cannot be stored', async () => {
  const { chat, upstream, keys, close } = await multiKeyFixture(app, 2);
  upstream.say(numberedKey(1), unstorable);
  for (let count = 0; count < 4; count += 1) expect((await chat()).status).toBe(200);
  await expect
    .poll(async () => (await keys()).map(({ status }) => status))
    .toEqual([channelStatus.disabledByMonitor, channelStatus.enabled]);
  await expect
    .poll(async () => (await keys())[0])
    .toMatchObject({ failure_message: expect.stringMatching(/^Incorrect API key {2}provided/) });
  await close();
});
