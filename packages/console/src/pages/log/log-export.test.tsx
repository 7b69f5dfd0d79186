import { createTestUser, seedLogs } from '@headgate/testkit';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { gatewayUrl, workerGateway } from '../../testing/gateway.ts';
import { expectRowCount } from '../../testing/log-page.ts';
import { Network } from '../../testing/network.ts';
import { openWithNavigation, phoneWindowWidth } from '../../testing/open-console.tsx';
import { findButton } from '../../testing/page.ts';
import { collectSavedFiles } from '../../testing/saved-files.ts';

const path = '/api/log/self/export';
const startButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Export CSV' });
const preparing = () => screen.queryByText('Preparing the export…');

/** Opens the log of a new user with this many entries. */
async function openLogs(count: number, network = new Network(), width?: number) {
  const person = await createTestUser(await gatewayUrl());
  seedLogs(await workerGateway(), { owner: person, count, newest: 1_790_000_000 });
  const console = await openWithNavigation('/log?type=2', { as: person, network, ...(width && { width }) });
  if (width) await console.user.click(await findButton('Filters'));
  await findButton('Export CSV');
  await expect.poll(() => startButton().disabled).toBe(false);
  return console;
}

it('exports JSONL, including on a phone', async () => {
  const files = collectSavedFiles();
  const { user } = await openLogs(3, new Network(), phoneWindowWidth);
  screen.getByRole('button', { name: 'Other formats' }).focus();
  await user.keyboard('{Enter}');
  (await screen.findByRole('menuitem', { name: 'Export JSONL' })).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('3 rows exported');
  expect(files[0]?.name).toMatch(/^logs-[\d-]+\.jsonl$/);
  const lines = (await files[0]?.lines()) ?? [];
  expect(lines.map((line) => Object.keys(JSON.parse(line))[0])).toEqual(['id', 'id', 'id', 'complete']);
});

it('an export can be canceled, and continues when the user leaves the page', async () => {
  const files = collectSavedFiles();
  const { user, network } = await openLogs(230);
  const removeHang = network.route('GET', path, () => new Promise<Response>(() => {}));
  await user.click(startButton());
  await screen.findByText('Preparing the export…');
  expect(startButton().disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(preparing).toBeNull();
  expect(startButton().disabled).toBe(false);
  removeHang();
  const release = network.hold('GET', path);
  await user.click(startButton());
  await screen.findByText('Preparing the export…');
  await user.click(screen.getByRole('link', { name: 'Tokens' }));
  await screen.findByRole('heading', { level: 1, name: /^Tokens/ });
  expect(files).toEqual([]);
  release();
  await screen.findByText('230 rows exported');
  expect(await files[0]?.lines()).toHaveLength(1 + 230 + 2);
  expect(files).toHaveLength(1);
});

it('shows the progress of a long export, and the list stays usable', async () => {
  const files = collectSavedFiles();
  const { user, network } = await openLogs(15);
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
  network.route('GET', path, async (forward) => {
    const response = await forward();
    const bytes = new Uint8Array(await response.arrayBuffer());
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.slice(0, bytes.length / 2));
        await rest;
        controller.enqueue(bytes.slice(bytes.length / 2));
        controller.close();
      },
    });
    return new Response(body, response);
  });
  await user.click(startButton());
  await screen.findByText(/^[1-9]\d? of 15 rows$/);
  screen.getByRole('progressbar', { name: 'Export' });
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await expectRowCount(5);
  sendRest();
  await screen.findByText('15 rows exported');
  expect(await files[0]?.lines()).toHaveLength(1 + 15 + 2);
});

it('[A32.2] saves nothing if an export is interrupted, and offers a retry', async () => {
  const files = collectSavedFiles();
  const { user, network } = await openLogs(3);
  // Some proxies end an interrupted response as if it were complete.
  const headers = {
    'content-type': 'text/csv',
    'content-disposition': 'attachment; filename="logs.csv"',
    'x-total-count': '3',
  };
  const restore = network.route('GET', path, () => new Response('Time,Type\r\n1,2\r\n3,4\r\n', { headers }));
  await user.click(startButton());
  const alert = (await screen.findByText('The export was interrupted. No file was saved.')).closest<HTMLElement>(
    '[role="alert"]',
  );
  expect(files).toEqual([]);
  restore();
  await user.click(within(alert as HTMLElement).getByRole('button', { name: 'Try again' }));
  await screen.findByText('3 rows exported');
  expect(await files[0]?.lines()).toHaveLength(1 + 3 + 2);
  expect(screen.queryByText('The export was interrupted. No file was saved.')).toBeNull();
});
