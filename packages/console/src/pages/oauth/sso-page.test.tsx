import { ageSessions, createTestUser } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { expectAddress, fill, findButton } from '../../testing/page.ts';

const reason = 'closed for today';
const begin = '/api/oauth/sso/7/begin';

it("forwards the response of an organization's identity provider to the gateway", async () => {
  const network = new Network();
  network.fail('GET', '/api/oauth/sso/7', 200, reason);
  await openConsole('/oauth/sso/7?code=c&state=s&iss=https%3A%2F%2Fidp.example', { network });
  await screen.findByText(new RegExp(reason));
  await expectAddress('/login');
  expect(network.sent('GET', '/api/oauth/sso/7')).toHaveLength(1);
  expect(network.sent('POST', begin)).toHaveLength(0);
});

it('starts the sign-in only when the visitor continues', async () => {
  const network = new Network();
  network.fail('POST', begin, 200, reason);
  const { user } = await openConsole('/oauth/sso/7', { network });
  const button = await screen.findByRole('button', { name: 'Continue to sign in' });
  expect(network.sent('POST', begin)).toHaveLength(0);
  await user.click(button);
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: false } }]);
});

it('[A75.13] links a signed-in account only on request and after a proof of identity', async () => {
  const person = await createTestUser(await gatewayUrl());
  const network = new Network();
  network.fail('POST', begin, 200, reason);
  const { user } = await openConsole('/oauth/sso/7', { network, as: person });
  const button = await findButton(`Link to account ${person.username}`);
  expect(network.sent('POST', begin)).toHaveLength(0);
  await ageSessions(await workerGateway());
  await user.click(button);
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm your identity' }));
  expect(network.sent('POST', begin)).toHaveLength(0);
  fill(proof.getByLabelText('Password'), person.password);
  await user.click(proof.getByRole('button', { name: 'Continue' }));
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: true } }]);
});

it('signs in to an account that is linked already', async () => {
  const person = await createTestUser(await gatewayUrl());
  const network = new Network();
  network.fail('POST', begin, 200, reason);
  network.change('GET', '/api/oauth/sso/self', () => [{ id: 7, name: 'Entra ID', organization: 'Acme' }]);
  const { user } = await openConsole('/oauth/sso/7', { network, as: person });
  await user.click(await findButton('Continue to sign in'));
  await screen.findByText(new RegExp(reason));
  expect(network.sent('POST', begin)).toMatchObject([{ body: { link: false } }]);
});

it('reports a sign-in that the user declined', async () => {
  const network = new Network();
  await openConsole('/oauth/sso/7?error=access_denied&state=s', { network });
  await screen.findByText(/operation failed/);
  expect(network.sent('POST', begin)).toHaveLength(0);
});
