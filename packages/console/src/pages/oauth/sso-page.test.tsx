import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress } from '../../testing/page.ts';

const reason = 'closed for today';

it("forwards the response of an organization's identity provider to the gateway", async () => {
  const network = new Network();
  network.fail('GET', '/api/oauth/sso/7', 200, reason);
  await openConsole('/oauth/sso/7?code=c&state=s&iss=https%3A%2F%2Fidp.example', { network });
  await screen.findByText(new RegExp(reason));
  await expectAddress('/login');
  expect(network.sent('GET', '/api/oauth/sso/7')).toHaveLength(1);
  expect(network.sent('POST', '/api/oauth/sso/7/begin')).toHaveLength(0);
});

it('starts the sign-in when the URL contains no provider response', async () => {
  const network = new Network();
  network.fail('POST', '/api/oauth/sso/7/begin', 200, reason);
  await openConsole('/oauth/sso/7', { network });
  await screen.findByText(new RegExp(reason));
  await expectAddress('/login');
  expect(network.sent('POST', '/api/oauth/sso/7/begin')).toHaveLength(1);
});

it('reports a sign-in that the user declined', async () => {
  const network = new Network();
  await openConsole('/oauth/sso/7?error=access_denied&state=s', { network });
  await screen.findByText(/operation failed/);
  expect(network.sent('POST', '/api/oauth/sso/7/begin')).toHaveLength(0);
});
