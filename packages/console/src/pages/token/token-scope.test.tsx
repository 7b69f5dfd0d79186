import { tokenApi } from '@headgate/contract';
import { signedInClient } from '@headgate/testkit';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { typeAndEnter } from '../../testing/list-page.ts';
import { openConsole } from '../../testing/open-console.tsx';
import { chooseAction, expectAddress, expectMessage, fill, findButton, findTextbox } from '../../testing/page.ts';
import { createTokenOwner } from '../../testing/token-owner.ts';

it('restricts a new token to models and endpoints, rotates its key, and revokes the previous key', async () => {
  const { owner } = await createTokenOwner();
  const client = await signedInClient(await gatewayUrl(), owner);
  const stored = async () => (await client.call(tokenApi.list, { query: {} }))[0];
  const { user } = await openConsole('/token/add', { as: owner });
  fill(await findTextbox('Name'), 'given');
  fill(await findTextbox('Note'), 'for Ada');
  await user.click(screen.getByText('More limits'));
  typeAndEnter(await screen.findByRole('combobox', { name: 'Model patterns' }), 'gpt-5*');
  await user.click(screen.getAllByRole('combobox', { name: 'Endpoints' })[0] as HTMLElement);
  await waitFor(() => fireEvent.click(screen.getByRole('option', { name: 'Conversation' })));
  typeAndEnter(await screen.findByRole('combobox', { name: 'Fixed tags' }), 'team=search');
  await user.click(await findButton('Create token'));
  await expectAddress('/token');
  const before = await stored();
  expect(before).toMatchObject({
    models: 'gpt-5*',
    endpoints: 'conversations',
    fixed_tags: 'team=search',
    note: 'for Ada',
  });

  await chooseAction(user, 'given', 'Rotate key', 'The old key works for 1 day');
  await user.click(await findButton('Rotate key'));
  await expectMessage('Key rotated');
  const after = await stored();
  expect(after?.key).not.toBe(before?.key);
  expect(after?.old_key_until).toBeGreaterThan(Date.now() / 1000 + 80_000);
  await user.click(await findButton('More actions for given'));
  await waitFor(() => fireEvent.click(screen.getByRole('menuitem', { name: /^Revoke old key/ })));
  await expectMessage('The old key was revoked');
  expect((await stored())?.old_key_until).toBe(0);
});
