import { userApi } from '@headgate/contract';
import { createTestUser, signedInClient } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import {
  authorize,
  lastOpenedUrl,
  loginFixture,
  newProviderUser,
  redirectProviders,
  storedUser,
} from '../../../testing/login-fixture.ts';
import { codeSentTo, receiveMail } from '../../../testing/mail.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton } from '../../../testing/page.ts';

const fixture = loginFixture();
const dialog = async () => within(await screen.findByRole('dialog'));
const expectRowText = (name: string, text: string) =>
  expect.poll(() => screen.queryByRole('group', { name })?.textContent).toContain(text);

/** Binds an account in the settings through its provider's page, then unbinds it. */
async function bindAndUnbind({ label }: (typeof redirectProviders)[number]): Promise<void> {
  const owner = await createTestUser(fixture.gateway.url);
  const person = newProviderUser();
  fixture.providers.person = person;
  const network = fixture.newNetwork();
  const opened = await openConsole('/setting', { as: owner, network });
  const back = await authorize(await lastOpenedUrl(opened.user, `Bind ${label}`));
  // Other servers may include a user in the response.
  network.route(
    'GET',
    new URL(back, window.location.origin).pathname.replace('/oauth', '/api/oauth'),
    async (forward) => {
      const reply = await (await forward()).json();
      return Response.json({ ...reply, data: { id: 1, username: 'another', role: 1 } });
    },
  );
  const { user } = await openConsole(back, { network });
  await expectMessage('Bound successfully');
  await expectAddress('/setting');
  expect(storedUser()).toMatchObject({ username: owner.username });
  await expectRowText(label, String(person.id));
  await user.click(await findButton(`Unbind ${label}`));
  await user.click((await dialog()).getByRole('button', { name: 'Unbind' }));
  await expectRowText(label, 'Not bound');
}

it('[S1.9 S2.176 S4.45 S4.46 S8.21] binds and unbinds GitHub', () => bindAndUnbind(redirectProviders[0]));

it('[S1.9 S2.177 S4.45 S4.46 S8.21] binds and unbinds Lark', () => bindAndUnbind(redirectProviders[1]));

it('binds and unbinds OpenID Connect', () => bindAndUnbind(redirectProviders[2]));

it('[S1.9 S2.175 S5.12 S7.18 S8.19] binds WeChat with a code, and sends nothing without one', async () => {
  fixture.providers.wechatCodes.set('bindme', 'wx-bound');
  const owner = await createTestUser(fixture.gateway.url);
  const { user, network } = await openConsole('/setting', { as: owner, network: fixture.newNetwork() });
  await user.click(await findButton('Bind WeChat'));
  const bind = async () => user.click((await dialog()).getByRole('button', { name: 'Bind WeChat' }));
  await bind();
  const code = (await dialog()).getByRole('textbox');
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  expect(network.sent('GET', '/api/oauth/wechat/bind')).toEqual([]);
  fill(code, 'bindme');
  await bind();
  await expectMessage('WeChat account bound successfully!');
  await expectRowText('WeChat', 'wx-bound');
  expect(network.sent('GET', '/api/oauth/wechat/bind').map(({ query }) => query)).toEqual([{ code: 'bindme' }]);
});

it('[S1.9 S2.178 S5.11 S7.19 S8.20] binds an email address with the code sent to it', async () => {
  const box = await receiveMail();
  const owner = await createTestUser(await gatewayUrl());
  const email = `${owner.username}@example.com`;
  const { user, network } = await openConsole('/setting', { as: owner });
  await user.click(await findButton('Bind Email'));
  const form = await dialog();
  fill(form.getByRole('textbox', { name: 'Email' }), email);
  await user.click(form.getByRole('button', { name: 'Bind' }));
  const code = form.getByRole('textbox', { name: 'Verification code' });
  await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true');
  expect(network.sent('GET', '/api/oauth/email/bind')).toEqual([]);
  await user.click(form.getByRole('button', { name: 'Get code' }));
  await expectMessage('Verification code sent successfully, please check your mailbox!');
  fill(code, await codeSentTo(box, email));
  await user.click(form.getByRole('button', { name: 'Bind' }));
  await expectMessage('Email account bound successfully!');
  await expectRowText('Email', email);
  expect(await (await signedInClient(await gatewayUrl(), owner)).call(userApi.self)).toMatchObject({ email });
});
