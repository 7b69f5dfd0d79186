import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelApi, limitRuleApi, optionApi, priceApi, userApi } from '@headgate/contract';
import { type ApiClient, asRoot, createTestUser, type Gateway, rootAccount, startGateway } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Language } from '../../i18n/language.ts';
import { menuEntries } from '../../testing/list-page.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, phoneWindowWidth } from '../../testing/open-console.tsx';
import { chooseAction, fill, findButton, findMoney, findRow, findTextbox } from '../../testing/page.ts';
import { applyToSelection, expectSelection, selectPage } from '../../testing/selection.ts';

const file = `
options:
  SystemName: From a file
groups:
  vip: 0.8
models:
  gpt-4o: { input: 2.5, output: 10 }
channels:
  main: { type: OpenAI, key: { env: MAIN_KEY }, models: [gpt-4o], priority: 10 }
users:
  alice: { display_name: Alice, groups: [vip] }
limits:
  everybody: { measure: requests_per_minute, amount: 60 }
aliases:
  gpt-4: gpt-4o
routing:
  everything: { strategy: least_busy }
budgets:
  vip in a month: { group: vip, amount: 50000000, period: month }
`;
const notice = 'Managed by headgate.yaml. Edit the file and apply it.';

const folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
let gateway: Gateway;
let root: ApiClient;

beforeAll(async () => {
  writeFileSync(join(folder, 'headgate.yaml'), file);
  gateway = await startGateway({ CONFIG_FILE: join(folder, 'headgate.yaml'), MAIN_KEY: 'sk-from-environment' });
  root = await asRoot(gateway.url);
  await root.call(channelApi.create, { body: { name: 'by-hand', key: 'sk-x', models: 'gpt-4o' } });
  await root.call(limitRuleApi.create, { body: { measure: 'tokens_per_day', amount: 9000, note: 'by-hand' } });
  await createTestUser(gateway.url, { username: 'by-hand' });
});

afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

const open = (path: string, options: { language?: Language; width?: number } = {}) =>
  openConsole(path, { as: rootAccount, network: new Network(gateway.url), ...options });

/** Also true for fields inside a disabled fieldset. */
const isDisabled = (field: Element) => field.matches(':disabled');
const marksIn = (scope: HTMLElement) => within(scope).queryAllByRole('img', { name: 'Managed by file' });

/** Waits for the mark, because managed rows are loaded separately. */
const expectMark = (name: string, role: 'row' | 'listitem' = 'row') =>
  expect.poll(async () => marksIn(await findRow(name, role)).length).toBe(1);

/** Waits until the field is read-only, because it rerenders after the managed rows have loaded. */
const expectLocked = (name: string | RegExp) => expect.poll(async () => isDisabled(await findTextbox(name))).toBe(true);

it('shows managed channels and limits read-only in their forms', async () => {
  const [channel] = await root.call(channelApi.search, { query: { keyword: 'main' } });
  const [limit] = await root.call(limitRuleApi.list, { query: { keyword: 'everybody' } });
  for (const { path, field, save } of [
    { path: `/channel/edit/${channel?.id}`, field: 'Name', save: 'Save channel' },
    { path: `/limit/edit/${limit?.id}`, field: 'Note', save: 'Save limit' },
  ]) {
    await open(path);
    await screen.findByText(notice);
    expect(isDisabled(await findTextbox(field)), field).toBe(true);
    expect(screen.queryByRole('button', { name: save })).toBeNull();
    expect(screen.queryByRole('textbox', { name: 'New keys' })).toBeNull();
  }
});

it('changes only the quota of a managed user', async () => {
  const [alice] = await root.call(userApi.search, { query: { keyword: 'alice', order: '' } });
  const { user } = await open(`/user/edit/${alice?.id}`);
  await expectLocked(/^Username/);
  expect(isDisabled(await findTextbox('Display name'))).toBe(true);
  fill(await findMoney('Remaining quota'), '5');
  await user.click(await findButton('Save user'));
  await screen.findByText('User info updated');
  expect(await root.call(userApi.get, { params: { id: alice?.id ?? 0 } })).toMatchObject({ quota: 2_500_000 });
});

for (const [window, width, role] of [
  ['a wide screen', 1280, 'row'],
  ['a phone', phoneWindowWidth, 'listitem'],
] as const)
  it(`marks managed rows in lists, and offers View instead of Edit, on ${window}`, async () => {
    for (const [path, managed] of [
      ['/channel', 'main'],
      ['/user', 'alice'],
      ['/limit', 'everybody'],
    ] as const) {
      const { user } = await open(path, { width });
      await expectMark(managed, role);
      expect(marksIn(await findRow('by-hand', role))).toEqual([]);
      const menuOf = async (name: string) => {
        const button = within(await findRow(name, role)).getByRole('button', { name: /^More actions for/ });
        return menuEntries(user, button.getAttribute('aria-label')?.replace('More actions for ', '') ?? '');
      };
      const entries = await menuOf(managed);
      for (const name of ['Disable', 'Delete']) expect(entries).toContainEqual({ name, isDisabled: true });
      expect(await menuOf('by-hand')).toContainEqual({ name: 'Delete', isDisabled: false });
    }
  });

it('explains the "managed" mark on focus, disables the priority field next to it, and opens the form read-only', async () => {
  const { user } = await open('/channel');
  await expectMark('main');
  marksIn(await findRow('main'))[0]?.focus();
  const tooltip = await screen.findByRole('tooltip');
  expect(tooltip.textContent).toBe('Managed by the configuration file. Change it there.');
  expect(isDisabled(screen.getByLabelText('Priority of main (higher is preferred)'))).toBe(true);
  expect(isDisabled(screen.getByLabelText('Priority of by-hand (higher is preferred)'))).toBe(false);
  await user.click(await findButton('More actions for main'));
  expect((await screen.findByRole('menu')).textContent).toContain('Managed by file');
  await user.click(await findButton('More actions for main'));
  await chooseAction(user, 'main', 'View settings');
  await screen.findByText(notice);
});

it('skips managed rows in a bulk change, and counts them', async () => {
  const { user } = await open('/channel');
  await selectPage(user);
  await expectSelection('1 managed by file');
  await applyToSelection(user, 'Priority');
  const dialog = within(await screen.findByRole('dialog', { name: 'Priority' }));
  fill(dialog.getByLabelText('Priority'), '50');
  await dialog.findByText('1 will change');
  dialog.getByText('1 cannot be changed');
  dialog.getByText('main is managed by the configuration file: change it there');
  await user.click(dialog.getByRole('button', { name: 'Change 1 channel' }));
  await dialog.findByText('1 changed');
  expect(await root.call(channelApi.search, { query: { keyword: 'main' } })).toMatchObject([{ priority: 10 }]);
});

it('marks managed prices, shows them read-only, and skips them in an import', async () => {
  const { user } = await open('/prices?keyword=gpt-4o');
  const view = await findButton('View settings: gpt-4o');
  expect(marksIn(view.closest('tr') as HTMLElement)).toHaveLength(1);
  await user.click(view);
  const dialog = within(await screen.findByRole('dialog', { name: 'gpt-4o' }));
  await dialog.findByText(notice);
  expect(isDisabled(dialog.getByLabelText('Input'))).toBe(true);
  expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Back' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();

  await user.click(await findButton('Import'));
  const pasted = within(await screen.findByRole('dialog', { name: 'Import prices' }));
  fill(pasted.getByRole('textbox'), 'gpt-4o,1,1\ngpt-4o-mini,7,8');
  await pasted.findByText('Managed by the configuration file: gpt-4o');
  await user.click(pasted.getByRole('button', { name: 'Save 1 price' }));
  await screen.findByText('Prices saved');
  const prices = new Map((await root.call(priceApi.list)).map(({ model, price }) => [model, price]));
  expect(prices.get('gpt-4o')).toMatchObject({ input: 2.5, output: 10 });
  expect(prices.get('gpt-4o-mini')).toMatchObject({ input: 7, output: 8 });
});

it('marks managed routing rules, aliases and budgets, and shows them read-only', async () => {
  const { user } = await open('/routing');
  for (const [name, title, field] of [
    ['gpt-4', 'Edit alias', /^Alias/],
    ['All groups · All models', 'Edit rule', /^Load balancing/],
  ] as const) {
    await user.click(await findButton(`View settings of ${name}`));
    expect(screen.queryByRole('button', { name: `Delete ${name}` })).toBeNull();
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    await dialog.findByText(notice);
    expect(isDisabled(dialog.getByLabelText(field)), name).toBe(true);
    expect(dialog.queryByRole('button', { name: 'Save' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Back' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  }
  expect(marksIn(document.body)).toHaveLength(2);
  await open('/budget');
  await expectMark('vip');
  await user.click(within(await findRow('vip')).getByRole('button', { name: /^View settings/ }));
  await within(await screen.findByRole('dialog')).findByText(notice);
});

it('locks managed options and ratios in their editors, and saves the others', async () => {
  const reason = 'Managed by the configuration file. Change it there.';
  const { user } = await open('/setting?tab=other');
  await expectLocked('System name');
  const why =
    screen.getByRole('textbox', { name: 'System name' }).closest('fieldset')?.getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(why)?.textContent).toBe(reason);
  expect(screen.getAllByText(reason)).toHaveLength(1);
  expect(isDisabled(await findTextbox('Logo URL'))).toBe(false);

  await open('/setting?tab=operation');
  await screen.findByText('Managed by the configuration file: vip');
  const view = within(screen.getByRole('radiogroup', { name: 'Group ratio: View' }));
  await user.click(view.getByText('Table'));
  expect(isDisabled(await screen.findByLabelText('Ratio of vip'))).toBe(true);
  expect(isDisabled(screen.getByRole('button', { name: 'Remove vip' }))).toBe(true);
  expect(isDisabled(screen.getByLabelText('Ratio of default'))).toBe(false);
  fill(screen.getByLabelText('Ratio of default'), '1.5');
  await user.click(await findButton('Save changes'));
  await screen.findByText('Operation completed successfully');
  const options = await root.call(optionApi.list, { query: {} });
  const ratios = options.find(({ key }) => key === 'GroupRatio')?.value ?? '{}';
  expect(JSON.parse(ratios)).toMatchObject({ default: 1.5, vip: 0.8 });
});

it('shows the "managed" mark and notice in Chinese', async () => {
  const { user } = await open('/channel', { language: 'zh' });
  await screen.findByRole('img', { name: '由文件管理' });
  await user.click(within(await findRow('main')).getByRole('link', { name: 'main' }));
  await user.click(await screen.findByRole('link', { name: '编辑' }));
  await screen.findByText('由配置文件 headgate.yaml 管理，请修改该文件并应用。');
});
