import { channelApi } from '@headgate/contract';
import { asRoot, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole } from '../../testing/open-console.tsx';
import {
  chooseAction,
  expectAddress,
  expectAlert,
  expectInRow,
  fill,
  findButton,
  findMoney,
  findTextbox,
} from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

const day = 24 * 3600;
const asText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
const button = (name: string) => screen.getByRole('button', { name });
const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

describe('new token', () => {
  it('[S2.15 S2.141 S5.28 S5.30 S9.23] the form for a new token has defaults, and sends nothing without a name or with an invalid time', async () => {
    const { owner } = await createTokenOwner();
    const { user, network } = await openConsole('/token', { as: owner });
    await screen.findByText('You have no tokens yet');
    await user.click(screen.getAllByRole('link', { name: 'Add token' })[0] as HTMLElement);
    await expectAddress('/token/add');
    const name = await findTextbox('Name');
    expect((await findMoney('Remaining quota')).value).toBe('1');
    screen.getByText('= 500,000 points');
    screen.getByRole('switch', { name: /^Unlimited quota/ });
    screen.getByRole('combobox', { name: 'Allowed models' });
    textbox('Allowed networks');
    // Submits without a name.
    await user.click(button('Create token'));
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(name);
    // Submits an invalid time.
    fill(name, ' laptop ');
    fill(textbox('Expiry'), 'next week');
    await user.click(button('Create token'));
    await expectAlert('Expiry time format error');
    expect(textbox('Expiry').getAttribute('aria-invalid')).toBe('true');
    expect(network.sent('POST', '/api/token/')).toEqual([]);
    await expectAddress('/token/add');
  });

  it('[S3.38 S5.33 S7.49 S8.24] a new token is created with the default values', async () => {
    const { owner } = await createTokenOwner();
    const { user, network } = await openConsole('/token/add', { as: owner });
    fill(await findTextbox('Name'), ' laptop ');
    await user.click(button('Create token'));
    await screen.findByText('Token created, click copy in the list to get it');
    await expectAddress('/token');
    expect(network.sent('POST', '/api/token/').map(({ body }) => body)).toEqual([
      { name: 'laptop', remain_quota: 500_000, unlimited_quota: false, expired_time: -1, models: '', subnet: '' },
    ]);
    await expectInRow('laptop', 'Never');
  });

  it('[S2.143 S2.144 S2.145 S2.146 S9.25] the expiry of a token is set with buttons', async () => {
    const { owner } = await createTokenOwner();
    const now = Math.floor(Date.now() / 1000);
    const { user } = await openConsole('/token/add', { as: owner });
    await findTextbox('Name');
    vi.spyOn(Date, 'now').mockReturnValue(now * 1000);
    for (const [label, seconds] of [
      ['1 minute', 60],
      ['1 hour', 3600],
      ['1 day', day],
      ['1 month', 30 * day],
    ] as const) {
      await user.click(button(label));
      expect(textbox('Expiry').value).toBe(asText(now + seconds));
    }
  });

  it('[S2.142 S5.31 S5.32] the expiry of a token is sent in seconds, and as -1 for never', async () => {
    const { owner } = await createTokenOwner();
    const now = Math.floor(Date.now() / 1000);
    const { user, network } = await openConsole('/token/add', { as: owner });
    fill(await findTextbox('Name'), 'for a month');
    vi.spyOn(Date, 'now').mockReturnValue(now * 1000);
    await user.click(button('1 month'));
    await user.click(button('Create token'));
    await expectInRow('for a month', asText(now + 30 * day));
    expect(network.sent('POST', '/api/token/')[0]?.body).toMatchObject({ expired_time: now + 30 * day });
    const edit = async (change: () => Promise<void> | void) => {
      await chooseAction(user, 'for a month', 'Edit');
      await findTextbox('Expiry');
      await change();
      await user.click(button('Save token'));
    };
    await edit(() => user.click(button('Never')));
    await expectInRow('for a month', 'Never');
    await edit(() => user.click(button('1 day')));
    await expectInRow('for a month', asText(now + day));
    await edit(() => fill(textbox('Expiry'), '-1'));
    await expectInRow('for a month', 'Never');
    const times = network.sent('PUT', '/api/token/').map(({ body }) => body);
    expect(times).toMatchObject([{ expired_time: -1 }, { expired_time: now + day }, { expired_time: -1 }]);
  });

  it('[S2.147 S3.41 S5.29] the quota of a token is entered in dollars, sent in whole points, and ignored if unlimited', async () => {
    const { owner } = await createTokenOwner();
    const { user, network } = await openConsole('/token/add', { as: owner });
    fill(await findTextbox('Name'), 'counted');
    const quota = await findMoney('Remaining quota');
    await user.clear(quota);
    await user.type(quota, '0.0000031');
    expect(quota.value).toBe('0.0000031');
    await user.tab();
    // Rounded to two points.
    expect(quota.value).toBe('0.000004');
    fill(quota, '5');
    await screen.findByText('= 2,500,000 points');
    await user.click(button('Create token'));
    await user.click(await screen.findByRole('link', { name: 'Add token' }));
    fill(await findTextbox('Name'), 'endless');
    await user.click(screen.getByRole('switch', { name: /^Unlimited quota/ }));
    expect((await findMoney('Remaining quota')).disabled).toBe(true);
    await user.click(button('Create token'));
    await expectInRow('endless', 'Unlimited');
    expect(network.sent('POST', '/api/token/').map(({ body }) => body)).toMatchObject([
      { remain_quota: 2_500_000, unlimited_quota: false },
      { unlimited_quota: true },
    ]);
  });

  it("the token form shows the server's error and keeps the input", async () => {
    const { owner } = await createTokenOwner();
    const { user } = await openConsole('/token/add', { as: owner });
    fill(await findTextbox('Name'), 'fenced');
    fill(textbox('Allowed networks'), '10.0.0.0/99');
    await user.click(button('Create token'));
    await expectAlert('10.0.0.0/99');
    expect(textbox('Name').value).toBe('fenced');
    fill(textbox('Allowed networks'), '10.0.0.0/8');
    await user.click(button('Create token'));
    await expectInRow('fenced', 'Enabled');
  });

  it('the token form is available in Chinese', async () => {
    const { owner } = await createTokenOwner();
    const { user } = await openConsole('/token/add', { as: owner, language: 'zh' });
    await screen.findByRole('heading', { level: 1, name: '添加令牌' });
    for (const label of ['名称', '剩余额度 (美元)', '过期时间', '允许的网段']) textbox(label);
    screen.getByRole('switch', { name: /^无限额度/ });
    screen.getByRole('combobox', { name: '允许的模型' });
    for (const label of ['永不过期', '一个月', '一天', '一小时', '一分钟']) button(label);
    fill(textbox('名称'), '笔记本');
    fill(textbox('过期时间'), '下周');
    await user.click(button('创建令牌'));
    await expectAlert('过期时间格式错误！');
    await user.click(button('一个月'));
    await user.click(button('创建令牌'));
    await screen.findByText('令牌创建成功，请在列表页面点击复制获取令牌！');
    await expectInRow('笔记本', '已启用');
  });
});

describe('existing token', () => {
  it('[S2.136 S7.48] a token is opened from its row', async () => {
    const { owner, tokens } = await createTokenOwner({ name: 'before', remain_quota: 4321 });
    const id = tokens[0]?.id;
    const { user, network } = await openConsole('/token', { as: owner });
    await chooseAction(user, 'before', 'Edit');
    await expectAddress(`/token/edit/${id}`);
    expect((await findTextbox('Name')).value).toBe('before');
    expect((await findMoney('Remaining quota')).value).toBe('0.008642');
    expect(network.sent('GET', `/api/token/${id}`)).toHaveLength(1);
  });

  it('[S3.39 S3.40 S5.34 S7.6 S7.50] editing a token sends models as a list and networks as text', async () => {
    const model = uniqueName('model');
    const root = await asRoot(await gatewayUrl());
    const models = `${model}-a,${model}-b`;
    await root.call(channelApi.create, {
      body: { name: uniqueName('ch'), type: 1, key: 'sk-x', models, group: 'default' },
    });
    const { owner, tokens } = await createTokenOwner({ name: 'before' });
    const id = tokens[0]?.id;
    const { user, network } = await openConsole(`/token/edit/${id}`, { as: owner });
    await findTextbox('Name');
    fill(textbox('Name'), 'after');
    for (const letter of ['a', 'b']) {
      fill(screen.getByRole('combobox', { name: 'Allowed models' }), model);
      await user.click(await screen.findByRole('option', { name: `${model}-${letter}` }));
    }
    fill(textbox('Allowed networks'), '10.0.0.0/8, 2001:db8::/32');
    await user.click(button('Save token'));
    await screen.findByText('Token updated');
    const [update] = network.sent('PUT', '/api/token/');
    expect(update?.body).toMatchObject({ id, name: 'after', models });
    await chooseAction(user, 'after', 'Edit');
    expect((await findTextbox('Allowed networks')).value).toBe('10.0.0.0/8,2001:db8::/32');
    within(screen.getByRole('main')).getByText(`${model}-a`);
  });

  it('[S9.24] the token form shows no quota until the token is loaded', async () => {
    const { owner, tokens } = await createTokenOwner({ name: 'slow', remain_quota: 42 });
    const network = new Network();
    const release = network.hold('GET', `/api/token/${tokens[0]?.id}`);
    await openConsole(`/token/edit/${tokens[0]?.id}`, { as: owner, network });
    await screen.findByRole('heading', { name: 'Edit token' });
    expect(screen.queryByRole('textbox', { name: /^Remaining quota/ })).toBeNull();
    release();
    expect((await findMoney('Remaining quota')).value).toBe('0.000084');
  });

  it('shows an error and a retry button when the token does not exist', async () => {
    const { owner } = await createTokenOwner();
    await openConsole('/token/edit/999999999', { as: owner });
    await within(await screen.findByRole('main')).findByText('Could not be loaded');
    await findButton('Try again');
  });
});
