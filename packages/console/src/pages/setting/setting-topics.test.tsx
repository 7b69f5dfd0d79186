import { role } from '@headgate/contract';
import { createTestUser, rootAccount, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl } from '../../testing/gateway.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { expectAddress } from '../../testing/page.ts';

const topicNames = async () =>
  within(await screen.findByRole('navigation', { name: 'Topics' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

it('shows each topic on its own page', async () => {
  const as = await createTestUser(await gatewayUrl(), { role: role.admin });
  const { user } = await openConsole('/setting', { as });
  await user.click(await screen.findByRole('tab', { name: 'Operation settings' }));
  await expectAddress('/setting?tab=operation&topic=operation');
  expect(await topicNames()).toEqual(['General', 'Logs', 'Monitoring', 'Quota', 'Ratios', 'Payments', 'All topics']);
  const topics = within(screen.getByRole('navigation', { name: 'Topics' }));
  await user.click(topics.getByRole('link', { name: 'Monitoring' }));
  await expect.poll(() => topics.getByRole('link', { current: 'page' }).textContent).toBe('Monitoring');
  await expectAddress('/setting?tab=operation&topic=monitor');
  await screen.findByRole('heading', { name: 'Monitoring' });
  expect(screen.queryByRole('heading', { name: 'Quota' })).toBeNull();
});

it('finds an option by its label or API name, opens its topic and focuses it', async () => {
  const { user } = await openConsole('/setting', { as: rootAccount });
  await screen.findByRole('tab', { name: 'Personal settings' });
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('/');
  const search = screen.getByLabelText('Search settings', { selector: 'input' });
  expect(document.activeElement).toBe(search);
  await user.type(search, 'RetryTimes');
  await user.click(await screen.findByRole('option', { name: /^Retry times/ }));
  await expectAddress('/setting?tab=operation&topic=operation&option=RetryTimes');
  const field = await screen.findByRole('textbox', { name: 'Retry times' });
  await expect.poll(() => document.activeElement).toBe(field);
});

it('shows raw ratios after a click on Advanced, with a link to the prices', async () => {
  await openConsole('/setting?tab=operation&topic=ratios', { as: rootAccount });
  const field = await screen.findByLabelText('Model ratio');
  expect(field.closest('details')?.open).toBe(false);
  expect(screen.getByLabelText('Group ratio').closest('details')).toBeNull();
  const link = screen.getByRole('link', { name: 'Set prices in dollars on the Prices page' });
  expect(link.getAttribute('href')).toBe('/prices');
  await openConsole('/setting?tab=operation&topic=ratios&option=ModelRatio', { as: rootAccount });
  expect((await screen.findByLabelText('Model ratio')).closest('details')?.open).toBe(true);
});

it('a preset hides pages and topics, which remain reachable by link', async () => {
  const url = await gatewayUrl();
  await setOption(url, 'ConsolePreset', 'personal');
  try {
    await openWithNavigation('/setting?tab=system&topic=general', { as: rootAccount });
    await expect.poll(topicNames).not.toContain('Bot check');
    const menu = within(screen.getByRole('navigation', { name: 'Main menu' }));
    await expect.poll(() => menu.queryByRole('link', { name: 'Users' })).toBeNull();
    menu.getByRole('link', { name: 'Channels' });
    await openWithNavigation('/setting?tab=system&topic=turnstile', { as: rootAccount });
    await screen.findByRole('heading', { name: 'Bot check' });
    expect(await topicNames()).toContain('Bot check');
    await openWithNavigation('/user', { as: rootAccount });
    await screen.findByRole('heading', { level: 1, name: /^Users/ });
  } finally {
    await setOption(url, 'ConsolePreset', 'everything');
  }
});
