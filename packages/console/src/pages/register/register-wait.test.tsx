import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { expectAtOnce, passTime, stopClock } from '../../testing/clock.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { fill, findButton, findTextbox } from '../../testing/page.ts';

it('[S2.58 S9.19] waits 30 seconds before another code can be requested, also after a reload', async () => {
  const network = new Network();
  network.change('GET', '/api/status', (status: object) => ({ ...status, email_verification: true }));
  network.route('GET', '/api/verification', () => Response.json({ success: true, message: '' }));
  const { user } = await openConsole('/register', { network });
  fill(await findTextbox('Email'), 'ada@example.com');
  const getCode = await findButton('Get code');
  stopClock();
  await user.click(getCode);
  const retry = (seconds: number) => screen.queryByRole('button', { name: `Retry (${seconds})` });
  await expectAtOnce(() => retry(30));
  expect(retry(30)).toHaveProperty('disabled', true);
  await openConsole('/register', { network });
  await expectAtOnce(() => retry(30));
  await passTime(29_750);
  expect(retry(1)).toHaveProperty('disabled', true);
  await passTime(250);
  expect(screen.getByRole('button', { name: 'Get code' })).toHaveProperty('disabled', false);
});
