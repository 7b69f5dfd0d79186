import { createTestUser, setOption } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { advanceTime, expectWithoutDelay, stopClock } from '../../testing/clock.ts';
import { gatewayUrl } from '../../testing/gateway.ts';
import { Network } from '../../testing/network.ts';
import { openConsole, openWithNavigation } from '../../testing/open-console.tsx';
import { withOption } from '../../testing/options.ts';
import { expectAddress, expectMessage, findButton, messages } from '../../testing/page.ts';

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });

it('[S2.1] shows the gateway to visitors, and its base URL to users', async () => {
  const { user } = await openConsole('/');
  await findHeading('Headgate');
  await screen.findByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Log in' }));
  await expectAddress('/login');
  const signedIn = await openConsole('/', { as: await createTestUser(await gatewayUrl()) });
  await screen.findByText(`${window.location.origin}/v1`);
  await signedIn.user.click(screen.getByRole('link', { name: 'Add token' }));
  await expectAddress('/token/add');
});

it('[S2.1 A31.1] shows the configured Markdown without running scripts', async () => {
  const text = [
    '# Welcome here',
    '[docs](https://example.com/docs)',
    '<img src="x" onerror="document.title = \'taken\'">',
    '<script>document.title = "taken"</script>',
    '[click](javascript:document.title="taken")',
  ].join('\n\n');
  await withOption('HomePageContent', text);
  await openConsole('/');
  await findHeading('Welcome here');
  expect(screen.getByRole('link', { name: 'docs' }).getAttribute('href')).toBe('https://example.com/docs');
  screen.getByText('click');
  expect(document.querySelectorAll('main script, main [onerror], main [href^="javascript"]')).toHaveLength(0);
  expect(document.querySelectorAll('main img')).toHaveLength(1);
  expect(document.title).toBe('Headgate');
});

it('[S2.1 A31.2] embeds a configured https address in a sandbox', async () => {
  await withOption('HomePageContent', ' https://elsewhere.example/home ');
  await openConsole('/');
  await screen.findByRole('link', { name: 'Open in a new tab' });
  const frame = document.querySelector('main iframe');
  expect(frame?.getAttribute('src')).toBe('https://elsewhere.example/home');
  expect(frame?.getAttribute('sandbox')).toMatch(/allow-scripts/);
  expect(frame?.getAttribute('sandbox')).not.toMatch(/allow-top-navigation|allow-same-origin/);
});

it('[S1.23] uses the built-in content if the server has none', async () => {
  const network = new Network();
  for (const path of ['home_page_content', 'notice', 'about'])
    network.route('GET', `/api/${path}`, () => new Response('', { status: 404 }));
  const { user } = await openWithNavigation('/', { network });
  await findHeading('Headgate');
  await user.click(screen.getByRole('link', { name: 'About' }));
  await findHeading('About');
  expect(messages()).toEqual([]);
});

it('[S9.5] shows each notice once, for 20 seconds', async () => {
  await withOption('Notice', '**Maintenance** on Sunday');
  const first = await openWithNavigation('/');
  const { network } = first;
  await expectMessage('Maintenance on Sunday', 'notice');
  await first.user.click(await findButton('Close'));
  await expect.poll(() => messages('notice')).toEqual([]);
  await openWithNavigation('/', { network });
  await findHeading('Headgate');
  await expect.poll(() => network.sent('GET', '/api/notice').length).toBe(2);
  await setOption(await gatewayUrl(), 'Notice', 'Back on Monday');
  const { user } = await openWithNavigation('/about', { network });
  await findHeading('About');
  expect(messages('notice')).toEqual([]);
  stopClock();
  await user.click(screen.getByRole('link', { name: 'Home' }));
  const isShown = () => messages('notice').some((text) => text.includes('Back on Monday'));
  await expectWithoutDelay(isShown);
  await advanceTime(19_999);
  expect(isShown()).toBe(true);
  await advanceTime(1);
  await expectWithoutDelay(() => !isShown());
});

it('shows a notice that is a URL as a link, not in a frame', async () => {
  await withOption('Notice', 'https://elsewhere.example/news');
  await openConsole('/');
  await screen.findByRole('link', { name: 'https://elsewhere.example/news' });
  expect(document.querySelector('iframe')).toBeNull();
});
