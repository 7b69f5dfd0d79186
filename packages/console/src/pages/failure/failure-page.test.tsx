import { rootAccount, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createCaller } from '../../testing/caller.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { rowTexts } from '../../testing/log-page.ts';
import { openWithNavigation } from '../../testing/open-console.tsx';
import { address } from '../../testing/page.ts';
import { invalidKeyResponse } from '../../testing/upstream.ts';

it('reaches the log entries of a failing channel from Home in three steps', async () => {
  await setOption(await gatewayUrl(), 'AutomaticDisableChannelEnabled', 'false');
  const { send, model } = await createCaller([invalidKeyResponse]);
  for (let count = 0; count < 3; count += 1) await send();
  await send('ci', { model: 'no-such-model' });
  const { user } = await openWithNavigation('/', { as: rootAccount });
  const menu = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  await user.click(menu.getByRole('link', { name: 'Usage' }));
  await user.click(await screen.findByRole('link', { name: 'Failures' }));
  const link = await screen.findByRole('link', { name: `Key rejected: 3 entries for ${model}` });
  expect(link.textContent).toContain('401');
  // With other tests' rejected requests.
  screen.getByRole('link', { name: /^Not found: \d+ entr(y|ies) for Rejected before routing$/ });
  await user.click(link);
  await expect.poll(address).toMatch(/reason=key_rejected/);
  await expect.poll(() => rowTexts().filter((text) => text.includes('Incorrect API key provided'))).toHaveLength(3);
  await screen.findByRole('button', { name: /Key rejected.*Remove filter/ });
});
