import { channelApi } from '@headgate/contract';
import { asRoot, createChannel, findChannel, rootAccount, uniqueName } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../../testing/gateway.ts';
import { openConsole } from '../../../testing/open-console.tsx';
import { fill, findButton } from '../../../testing/page.ts';

const names = () =>
  screen.getAllByRole('listitem').flatMap(
    (item) =>
      within(item)
        .queryByRole('button', { name: /^Move .* up$/ })
        ?.getAttribute('aria-label') ?? [],
  );

it('edits, reorders, validates and previews the rules of a channel', async () => {
  const url = await gatewayUrl();
  const name = uniqueName('ruled');
  const rules = JSON.stringify([
    { name: 'no user', ...Object.fromEntries([['then', [{ do: 'remove', path: 'user' }]]]) },
  ]);
  await createChannel(url, { name, models: 'gpt-4o', rules });
  const { id } = (await findChannel(url, name)) as { id: number };
  const { user, network } = await openConsole(`/channel/edit/${id}`, { as: rootAccount });
  await screen.findByText('Always remove user.');
  await user.click(await findButton('Add rule'));
  fill(await screen.findByLabelText('Path'), 'model');
  await user.click(await findButton('Save channel'));
  await screen.findByText('Rules cannot change this field');
  expect(network.sent('PUT', '/api/channel/')).toHaveLength(0);
  fill(screen.getByLabelText('Path'), 'temperature');
  fill(screen.getByLabelText('Value (JSON or text)'), '0.2');
  await screen.findByText('Always set temperature to 0.2.');
  await user.click(await findButton('Move Rule 2 up'));
  expect(names()).toEqual(['Move Rule 2 up', 'Move no user up']);
  await user.click(await findButton('Preview of the upstream request'));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }));
  await within(dialog).findByText(/Applied rules: Rule 2 and no user/);
  expect(within(dialog).getByLabelText('Upstream request').textContent).toContain('Added: +   "temperature": 0.2');
  await user.keyboard('{Escape}');
  await user.click(await findButton('Save channel'));
  await screen.findByText('Channel updated');
  const saved = await (await asRoot(url)).call(channelApi.get, { params: { id } });
  expect(JSON.parse(saved.rules).map(({ name: one }: { name: string }) => one)).toEqual(['Rule 2', 'no user']);
});
