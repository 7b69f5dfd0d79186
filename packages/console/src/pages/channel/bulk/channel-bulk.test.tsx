import { channelApi } from '@headgate/contract';
import { asRoot, createChannel, findChannel, removeAllChannels, rootAccount, uniqueName } from '@headgate/testkit';
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { chooseOption, typeAndEnter } from '../../../testing/list-page.ts';
import { openConsole, openWithNavigation, phoneWindowWidth } from '../../../testing/open-console.tsx';
import { fill, findButton, findRow } from '../../../testing/page.ts';
import {
  applyToSelection,
  expectNoSelection,
  expectSelection,
  selectionBar,
  selectPage,
} from '../../../testing/selection.ts';

beforeEach(async () => removeAllChannels(await gatewayUrl()));

const openDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });

it('shows that a bulk change is running, sends it once, and cannot be closed until it ends', async () => {
  const url = await gatewayUrl();
  for (let index = 0; index < 3; index += 1) await createChannel(url);
  const { user, network } = await openConsole('/channel', { as: rootAccount });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const applied = () =>
    network.sent('POST', '/api/channel/bulk').filter(({ body }) => !(body as { preview: boolean }).preview);
  network.route('POST', '/api/channel/bulk', async (forward, { body }) => {
    if (!(body as { preview: boolean }).preview) await held;
    return forward();
  });
  await selectPage(user);
  await applyToSelection(user, 'Priority');
  const dialog = await openDialog('Priority');
  fill(dialog.getByLabelText('Priority'), '7');
  const apply = await dialog.findByRole('button', { name: 'Change 3 channels' });
  fireEvent.click(apply);
  fireEvent.click(apply);
  const text = 'Changing 3 rows (all or none)…';
  await dialog.findByRole('progressbar', { name: text });
  expect(dialog.getByLabelText('Priority').closest('fieldset')).toHaveProperty('disabled', true);
  await user.keyboard('{Escape}');
  dialog.getByText(text);
  release();
  await dialog.findByText('3 changed');
  expect(applied()).toHaveLength(1);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

it('sets the priority of all channels of a type in four steps from Home, and undoes it', async () => {
  const url = await gatewayUrl();
  const root = await asRoot(url);
  const key = Array.from({ length: 12 }, (_, index) => `key-${index}`).join('\n');
  const azure = { type: 3, base_url: 'https://one.openai.azure.com', other: '2024-06-01' };
  await root.call(channelApi.create, { body: { name: 'azure', key, models: 'gpt-4o', ...azure } });
  await createChannel(url, { name: 'openai' });
  const priorities = async () => {
    const stored = await root.call(channelApi.list, { query: { size: 100 } });
    return stored.filter(({ priority }) => priority === 50).map(({ type }) => type);
  };
  const { user } = await openWithNavigation('/', { as: rootAccount });
  await user.click(await screen.findByRole('link', { name: 'Channels' }));
  await user.click(await findButton('Filters'));
  await chooseOption(user, await screen.findByRole('combobox', { name: 'Type' }), /^Azure OpenAI/);
  await screen.findByText('1–10 of 12');
  await selectPage(user);
  await user.click((await selectionBar()).getByRole('button', { name: 'Select all 12 results' }));
  await expectSelection('All 12 results');
  await applyToSelection(user, 'Priority');
  const dialog = await openDialog('Priority');
  fill(dialog.getByLabelText('Priority'), '50');
  await dialog.findByText('12 will change');
  await user.click(dialog.getByRole('button', { name: 'Change 12 channels' }));
  await dialog.findByText('12 changed');
  expect(await priorities()).toEqual(Array.from({ length: 12 }, () => azure.type));
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  await dialog.findByText('Changes undone');
  expect(await priorities()).toEqual([]);
});

it('adds a model to all channels with a tag, on a phone', async () => {
  const url = await gatewayUrl();
  const tag = uniqueName('tag');
  const root = await asRoot(url);
  const key = Array.from({ length: 11 }, (_, index) => `key-${index}`).join('\n');
  await root.call(channelApi.create, { body: { name: 'many', key, models: 'gpt-4o', tag } });
  await createChannel(url, { name: 'has-it', models: 'gpt-5', tag });
  await createChannel(url, { name: 'other' });
  const { user } = await openConsole('/channel', { as: rootAccount, width: phoneWindowWidth });
  await user.click(await findButton(/^Filters/));
  await chooseOption(user, await screen.findByRole('combobox', { name: 'Tag' }), `${tag} (12)`);
  await screen.findByText('1–10 of 12');
  await selectPage(user);
  await user.click((await selectionBar()).getByRole('button', { name: 'Select all 12 results' }));
  await expectSelection('All 12 results');
  await applyToSelection(user, 'Models');
  const dialog = await openDialog('Models');
  typeAndEnter(dialog.getByRole('combobox', { name: 'Models' }), 'gpt-5');
  await dialog.findByText('11 will change');
  dialog.getByText('1 unchanged');
  expect(
    dialog.getAllByRole('listitem').find(({ textContent }) => textContent?.includes('many 1'))?.textContent,
  ).toContain('+gpt-5');
  await user.click(dialog.getByRole('button', { name: 'Change 11 channels' }));
  await dialog.findByText('11 changed');
  const stored = await root.call(channelApi.list, { query: { size: 100 } });
  expect(stored.filter(({ models }) => models.split(',').includes('gpt-5'))).toHaveLength(12);
});

it('lists rows that cannot be changed, with the reason', async () => {
  const url = await gatewayUrl();
  const [only, both] = [uniqueName('only'), uniqueName('both')];
  await createChannel(url, { name: only, models: 'old' });
  await createChannel(url, { name: both, models: 'old,new' });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await findRow(both);
  for (const name of [only, both]) await user.click(box(name));
  await expectSelection('2 selected');
  await applyToSelection(user, 'Models');
  const dialog = await openDialog('Models');
  await user.click(dialog.getByText('Remove'));
  typeAndEnter(dialog.getByRole('combobox', { name: 'Models' }), 'old');
  await dialog.findByText('1 cannot be changed');
  const rejected = dialog.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(only));
  expect(rejected?.textContent).toContain('please select at least one model');
  await user.click(dialog.getByRole('button', { name: 'Change 1 channel' }));
  await dialog.findByText('1 changed');
  expect((await findChannel(url, both)).models).toBe('new');
  expect((await findChannel(url, only)).models).toBe('old');
});

it('selects rows by keyboard and by range', async () => {
  const url = await gatewayUrl();
  for (const name of ['a', 'b', 'c', 'd']) await createChannel(url, { name });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await findRow('d');
  box('d').focus();
  await user.keyboard(' ');
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await expect.poll(() => box('c').checked).toBe(true);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(box('b'));
  expect(box('b').checked).toBe(false);
  fireEvent.click(box('a'), { shiftKey: true });
  await expectSelection('4 selected');
  box('a').focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe((await selectionBar()).getAllByRole('button')[0]);
  await user.keyboard('{Escape}');
  await expectNoSelection();
});

it('tests the selected channels, and shows the result of each', async () => {
  const { name } = await createChannel(await gatewayUrl(), { base_url: 'http://127.0.0.1:9' });
  const { user } = await openConsole('/channel', { as: rootAccount });
  await findRow(name);
  await user.click(box(name));
  await applyToSelection(user, 'Test');
  const dialog = await openDialog('Test');
  await dialog.findByText('Tested 1 of 1 · 1 failed');
  expect(dialog.getByRole('listitem').textContent).toMatch(/failed/i);
});
