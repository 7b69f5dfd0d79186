import { redemptionApi } from '@headgate/contract';
import { asRoot, createTestUser, setOption, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { expectAddress, expectMessage, fill, findButton, findTextbox } from '../../testing/page.ts';

async function createCode(quota: number): Promise<string> {
  const root = await asRoot(await gatewayUrl());
  const [key = ''] = await root.call(redemptionApi.create, { body: { name: uniqueName('code'), quota, count: 1 } });
  return key;
}

async function openTopUp(network = new Network()) {
  const person = await createTestUser(await gatewayUrl(), { quota: 500_000 });
  const opened = await openWithNavigation('/topup', { as: person, network });
  await within(await balance()).findByText('$1.00');
  return { ...opened, person, redeem: async () => opened.user.click(await findButton('Redeem')) };
}

const balance = () => screen.findByRole('region', { name: 'Remaining quota' });
const code = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Redemption code' });
const path = '/api/user/topup';

describe('top-up', () => {
  it('[S2.23 S2.157 S2.159 S2.160] the top-up page is reached from the menu and has a code field, a button and the balance', async () => {
    const person = await createTestUser(await gatewayUrl(), { quota: 500_000 });
    const { user } = await openWithNavigation('/', { as: person });
    await user.click(await screen.findByRole('link', { name: 'Top-up' }));
    await expectAddress('/topup');
    await within(await balance()).findByText('$1.00');
    expect(code().disabled).toBe(false);
    expect(await findButton('Redeem')).toHaveProperty('disabled', false);
  });

  it("[S9.16] formats amounts with the browser's separators, and does not round small ones to zero", async () => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
    for (const [quota, ...texts] of [
      [617_283_945, '$1.234,57', '617.283.945 points'],
      [1250, '$0,0025'],
    ] as const) {
      await openConsole('/topup', { as: await createTestUser(await gatewayUrl(), { quota }) });
      for (const text of texts) await expect.poll(async () => (await balance()).textContent).toContain(text);
    }
  });

  it('[S1.6 S7.32 S8.29] adds the quota of a pasted code', async () => {
    const key = await createCode(750_000);
    const { network, person, redeem } = await openTopUp();
    const shown = within(await balance());
    fill(await findTextbox('Redemption code'), `  ${key}\n`);
    expect(code().value).toBe(key);
    await redeem();
    await expectMessage('Top-up successful');
    await shown.findByText('$2.50');
    expect(shown.getByRole('status').textContent).toBe('$1.50 added');
    expect(code().value).toBe('');
    expect(network.sent('POST', path).map(({ body }) => body)).toEqual([{ key }]);
    expect((await findButton(/^Account/)).textContent).toContain('$2.50');
    await openConsole('/topup', { as: person });
    await within(await balance()).findByText('$2.50');
  });

  it('[S5.52] warns about an empty code, marks the field and sends nothing', async () => {
    const { network, redeem } = await openTopUp();
    fill(code(), '   ');
    await redeem();
    await expectMessage('Please enter top-up code', 'warning');
    expect(code().getAttribute('aria-invalid')).toBe('true');
    expect(network.sent('POST', path)).toEqual([]);
  });

  it('[S8.8] keeps a rejected code in the field and shows the reason', async () => {
    const key = await createCode(1000);
    const { redeem } = await openTopUp();
    fill(code(), 'not-a-code');
    await redeem();
    await expectMessage('This redemption code is not valid');
    expect(code().value).toBe('not-a-code');
    fill(code(), key);
    await redeem();
    await expectMessage('Top-up successful');
    fill(code(), key);
    await redeem();
    await expectMessage('This redemption code has already been used');
  });

  it('[S8.10 S8.7 S8.3] shows an error for a failed request and for too many requests', async () => {
    const { network, redeem } = await openTopUp();
    fill(code(), 'some-code');
    const restore = network.route('POST', path, () => Promise.reject(new TypeError('Failed to fetch')));
    await redeem();
    await expectMessage(/Request failed\s*错误：./, 'error');
    await within(await balance()).findByText('$1.00');
    restore();
    network.fail('POST', path, 429, '');
    await redeem();
    await expectMessage(/Request failed\s*错误：请求次数过多，请稍后再试！/, 'error');
  });

  it('disables the button while a code is being redeemed', async () => {
    const key = await createCode(1000);
    const { network, redeem } = await openTopUp();
    const release = network.hold('POST', path);
    fill(code(), key);
    await redeem();
    expect(await findButton('Redeeming…')).toHaveProperty('disabled', true);
    release();
    await expect.poll(() => screen.queryByRole('button', { name: 'Redeem' })).toHaveProperty('disabled', false);
  });
});

describe('top-up link', () => {
  const getCode = async (user: { click(element: Element): Promise<void> }) =>
    user.click(await findButton('Get a code'));

  it('[S2.158 S5.53 S3.24] shows an error if no top-up link is set', async () => {
    await setOption(await gatewayUrl(), 'TopUpLink', '');
    const { user } = await openTopUp();
    await getCode(user);
    await expectMessage('The super admin has not set a top-up link', 'error');
  });

  it('[S2.158 S3.24] the top-up link opens in a new tab with the buyer in its query string', async () => {
    const url = await gatewayUrl();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await setOption(url, 'TopUpLink', 'https://shop.example/buy?item=1#now');
    try {
      const { user, person } = await openTopUp();
      await expect.poll(() => localStorage.getItem('status')).toContain('shop.example');
      await getCode(user);
      expect(open.mock.lastCall?.slice(1)).toEqual(['_blank', 'noopener']);
      const shop = new URL(String(open.mock.lastCall?.[0]));
      expect(shop.origin + shop.pathname + shop.hash).toBe('https://shop.example/buy#now');
      expect(Object.fromEntries(shop.searchParams)).toEqual({
        item: '1',
        username: person.username,
        user_id: String(person.id),
        transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    } finally {
      await setOption(url, 'TopUpLink', '');
    }
  });

  it('[A31.2] a top-up link that is not an http or https URL is not opened', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    const network = new Network();
    network.change('GET', '/api/status', (status: object) => ({ ...status, top_up_link: 'javascript:alert(1)' }));
    const { user } = await openTopUp(network);
    await getCode(user);
    await expectMessage('The top-up link is not a valid URL. Contact an admin.');
    expect(open).not.toHaveBeenCalled();
  });
});
