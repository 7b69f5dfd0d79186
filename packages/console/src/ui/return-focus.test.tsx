import { ageSessions, createTestUser } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../testing/gateway.ts';
import { openConsole, openWithNavigation } from '../testing/open-console.tsx';
import { chooseAction, fill, findButton } from '../testing/page.ts';
import { createTokenOwner } from '../testing/token-owner.ts';

const expectFocus = (element: Element) => expect.poll(() => document.activeElement).toBe(element);
const findDialog = (name: string | RegExp) => screen.findByRole('dialog', { name });

/** Waits until the dialog has the focus, which may move between its elements. */
const expectFocusIn = (dialog: Element) => expect.poll(() => dialog.contains(document.activeElement)).toBe(true);

it('returns the focus to the opener after closing the palette, the shortcuts, and dialogs opened from a menu', async () => {
  const { owner } = await createTokenOwner({ name: 'first' });
  const { user } = await openWithNavigation('/token', { as: owner });
  const menu = await findButton('More actions for first');
  const closesTo = async (dialog: Element, opener: Element) => {
    await expectFocusIn(dialog);
    await user.keyboard('{Escape}');
    await expect.poll(() => dialog.isConnected).toBe(false);
    await expectFocus(opener);
  };
  menu.focus();
  await user.keyboard('{Control>}k{/Control}');
  await closesTo(await findDialog('Search or run a command'), menu);
  const paletteButton = await findButton(/^Go to…/);
  await user.click(paletteButton);
  await closesTo(await findDialog('Search or run a command'), paletteButton);
  menu.focus();
  await user.keyboard('?');
  await closesTo(await findDialog('Keyboard shortcuts'), menu);
  // Mounted when opened.
  await chooseAction(user, 'first', 'Delete');
  await closesTo(await findDialog('Delete token first?'), menu);
  // Loaded when first opened, and stays mounted.
  for (const _ of ['mounted open', 'opened again']) {
    await chooseAction(user, 'first', 'Connect a client');
    await closesTo(await findDialog('Connect a client to first'), menu);
  }
});

it('closes only the topmost dialog with Escape, and returns the focus to the dialog below', async () => {
  const person = await createTestUser(await gatewayUrl());
  const { user } = await openConsole('/setting', { as: person });
  ageSessions(await workerGateway());
  const opener = await findButton('Delete own account');
  await user.click(opener);
  const form = await findDialog('Delete own account');
  const name = within(form).getByRole<HTMLInputElement>('textbox');
  await expectFocus(name);
  fill(name, person.username);
  const submit = within(form).getByRole('button', { name: 'Delete account' });
  await user.click(submit);
  const proof = await findDialog('Confirm your identity');
  await expectFocusIn(proof);
  await user.keyboard('{Escape}');
  await expect.poll(() => proof.isConnected).toBe(false);
  await expectFocus(submit);
  expect(name.value).toBe(person.username);
  await user.keyboard('{Escape}');
  await expect.poll(() => form.isConnected).toBe(false);
  await expectFocus(opener);
});
