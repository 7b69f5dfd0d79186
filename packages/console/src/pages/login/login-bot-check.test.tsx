import { createTestUser, LoginProviders, setOption, startGateway } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { botCheckPendingText, findWidget, mockTurnstile, passBotCheck, queryWidget } from '../../testing/bot-check.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findTextbox } from '../../testing/page.ts';

const secret = '1x0000000000000000000000000000000AA';

/** Starts a gateway that requires a bot check after three failed logins. */
async function startCheckingGateway() {
  const cloudflare = await LoginProviders.start();
  const gateway = await startGateway({
    LOGIN_RATE_LIMIT: '10',
    LOGIN_PROVIDER_URLS: JSON.stringify({ turnstile: cloudflare.url }),
  });
  onTestFinished(async () => {
    await gateway.stop();
    await cloudflare.close();
  });
  await setOption(gateway.url, 'TurnstileSiteKey', '1x00000000000000000000AA');
  await setOption(gateway.url, 'TurnstileSecretKey', secret);
  await setOption(gateway.url, 'TurnstileCheckEnabled', 'true');
  return { cloudflare, url: gateway.url };
}

it('requires the bot check after repeated failures, then logs in', async () => {
  mockTurnstile();
  const { cloudflare, url } = await startCheckingGateway();
  const { username, password } = await createTestUser(url);
  const { user, network } = await openConsole('/register', { network: new Network(url) });
  let responses = 0;
  network.route('POST', '/api/user/login', async (forward) => {
    const response = await forward();
    responses += 1;
    return response;
  });
  const tryPassword = async (guess: string) => {
    fill(screen.getByLabelText('Password'), guess);
    await user.click(await findButton('Log in'));
  };
  // Otherwise the widget would already be loaded and shown immediately on the login page.
  await findWidget();
  await import('./login-bot-check.tsx');
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  fill(await findTextbox('Username or email'), username);
  expect(queryWidget()).toBeNull();
  await tryPassword('wrong one');
  await expectMessage('Wrong username or password, or the account is banned');
  await findWidget();
  await tryPassword('wrong two');
  await expectMessage(botCheckPendingText);
  expect(network.sent('POST', '/api/user/login')).toHaveLength(1);
  for (const [index, guess] of ['wrong two', 'wrong three'].entries()) {
    await passBotCheck(user);
    await tryPassword(guess);
    await expect.poll(() => responses).toBe(index + 2);
  }
  expect(cloudflare.calls).toHaveLength(0);
  await passBotCheck(user);
  await tryPassword(password);
  await expectAddress('/token');
  expect(responses).toBe(4);
  expect(cloudflare.calls.map(({ body }) => body)).toMatchObject([{ secret, response: 'good-3' }]);
});
