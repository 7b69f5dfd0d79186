import { logReasons, logType } from '@headgate/contract';
import { reply } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { relayScene } from '../../testing/relay-scene.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '0' } });

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  '[A47.4] an upstream that refuses by a code of %s has a row with a reason of the list',
  async (word) => {
    const answer = reply({ error: { message: 'no', code: word, type: word } }, 503);
    const scene = await relayScene(app, { upstreams: [answer] });
    expect((await scene.chat({ max_tokens: 10 })).status).toBe(503);
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: logType.failure, status: 503, quota: 0 }]);
    expect(Object.keys(logReasons)).toContain(logs[0]?.reason);
    expect(drift).toBe(0);
    await scene.close();
  },
);
