import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import type { Language } from '../../i18n/language.ts';
import { Network } from '../network.ts';
import { openConsole } from '../open-console.tsx';
import { fill } from '../page.ts';
import { type MinimalServer, startMinimalServer } from './minimal-server.ts';

/** Calls that such a server may lack: the console works without them and shows no error. */
const optionalCalls = ['GET /api/notice', 'GET /api/about', 'GET /api/home_page_content', 'GET /api/log/export'];

interface Options {
  readonly user?: { readonly username: string; readonly role: number };
  readonly language?: Language;
  readonly width?: number;
  readonly navigation?: boolean;
  readonly missingAs?: 'html' | 'json';
}

interface MinimalScene {
  readonly user: UserEvent;
  readonly network: Network;
  readonly server: MinimalServer;
  /** Error messages shown so far. A test removes the ones it expects; any others make it fail. */
  readonly errors: string[];
  /** Opens another page as if its address had been typed. */
  open(path: string): Promise<void>;
}

/** Opens the console on its own minimal server, signed in as admin unless `user` is set. */
export async function openMinimalConsole(path: string, options: Options = {}): Promise<MinimalScene> {
  const { user = { username: 'admin', role: 100 }, missingAs = 'html', ...settings } = options;
  const server = await startMinimalServer(missingAs);
  const network = new Network(server.url);
  const errors = watchErrors();
  onTestFinished(async () => {
    await server.stop();
    expect([...server.unknownCalls].filter((call) => !optionalCalls.includes(call))).toEqual([]);
    expect(errors).toEqual([]);
  });
  if (user.username !== '') localStorage.setItem('user', JSON.stringify(user));
  const opened = await openConsole(path, { network, ...settings });
  const open = async (next: string) => void (await openConsole(next, { network, ...settings }));
  return { ...opened, server, errors, open };
}

export const visitor = { username: '', role: 0 };

function watchErrors(): string[] {
  const errors: string[] = [];
  const seen = new Set<Element>();
  const observer = new MutationObserver(() => {
    for (const message of document.querySelectorAll('[data-kind="error"]')) {
      if (!seen.has(message)) errors.push(message.textContent ?? '');
      seen.add(message);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return errors;
}

/** Waits for a message with this text. */
export const expectMessage = (text: string) =>
  waitFor(() => {
    const shown = [...document.querySelectorAll('[data-kind]')].map(({ textContent }) => textContent ?? '');
    if (!shown.some((message) => message.includes(text))) throw new Error(`No "${text}" among: ${shown.join(' | ')}`);
  });

/** Table rows, or cards of the list on a phone. */
export const rows = (): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('main tbody tr, main ul:not([aria-label]) > li'),
];
export const rowsWith = (text: string): HTMLElement[] =>
  rows().filter(({ textContent }) => textContent?.includes(text));
export const expectNoRow = (text: string) => expect.poll(() => rowsWith(text).length).toBe(0);
export const expectRowCount = (count: number) => expect.poll(() => rows().length).toBe(count);

export async function press(user: UserEvent, name: string | RegExp): Promise<void> {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await user.click(button);
}

export async function fillIn(name: string, value: string): Promise<void> {
  const [field] = await screen.findAllByRole('textbox', { name });
  if (field) fill(field, value);
}

/** Fills a field without an ARIA role, such as a password field. */
export const fillLabelled = async (label: string | RegExp, value: string) =>
  fill(await screen.findByLabelText(label), value);

export async function search(user: UserEvent, keyword: string): Promise<void> {
  const box = await screen.findByRole('searchbox');
  fill(box, keyword);
  await user.type(box, '{Enter}');
}

/** Visits two full pages and a last one with three rows. */
export async function checkPagination(user: UserEvent, lastName: string): Promise<void> {
  await expectRowCount(10);
  await screen.findByText('1–10');
  for (const [first, count] of [
    [11, 10],
    [21, 3],
  ] as const) {
    await press(user, 'Next page');
    await screen.findByText(`${first}–${first + count - 1}`);
    await expectRowCount(count);
  }
  expect(rowsWith(lastName)).not.toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
}

/** A search returns a single page, regardless of the number of matches. */
export async function searchAll(user: UserEvent, keyword: string, count: number): Promise<void> {
  await search(user, keyword);
  await expectRowCount(count);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
}
