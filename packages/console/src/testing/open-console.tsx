import { type SignedInUser, sessionApi } from '@headgate/contract';
import { type Account, ApiClient } from '@headgate/testkit';
import { waitFor } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import { createRoot, type Root } from 'react-dom/client';
import { expect, vi } from 'vitest';
import type { Language } from '../i18n/language.ts';
import { setWindowWidth } from './browser-shims.ts';
import { nativeFetch } from './gateway.ts';
import { Network } from './network.ts';

const desktopWidth = 1280;
export const phoneWindowWidth = 390;

export interface OpenOptions {
  /** Signed-in account; a visitor if absent. */
  readonly as?: Account | undefined;
  readonly language?: Language;
  readonly width?: number;
  /** Renders the menu beside the page, which tests of one page leave out because it takes long. */
  readonly navigation?: boolean;
  /** Network with routes for the first calls. A reused network keeps its session and recorded calls. */
  readonly network?: Network;
}

interface OpenConsole {
  readonly user: UserEvent;
  readonly network: Network;
}

let root: Root | undefined;

/**
 * Renders the console at this address, against the worker's real gateway. Opening it again simulates a reload.
 */
export async function openConsole(path: string, options: OpenOptions = {}): Promise<OpenConsole> {
  const { as, language = 'en', width = desktopWidth, navigation = false, network = new Network() } = options;
  root?.unmount();
  // With a fake clock, requests to a gateway that is still starting would never complete.
  await network.url();
  if (as) await signIn(network, as);
  globalThis.fetch = network.fetch;
  setWindowWidth(width);
  window.history.replaceState(null, '', path);
  const [{ switchLanguage, loadDeferredTexts }, { App }] = await Promise.all([
    import('../i18n/translate.ts'),
    import('../app/app.tsx'),
  ]);
  await switchLanguage(language);
  await loadDeferredTexts();
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<App hasNavigation={navigation} />);
  return { user: newUser(), network };
}

/** For tests that use the menu, or expect that it lacks an entry. */
export const openWithNavigation = (path: string, options: OpenOptions = {}): Promise<OpenConsole> =>
  openConsole(path, { ...options, navigation: true });

/** Simulates a user, who cannot click disabled elements. */
function newUser(): UserEvent {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0, skipHover: true });
  const click = async (element: Element) => {
    await waitFor(() => expect(element).not.toHaveProperty('disabled', true));
    await user.click(element);
  };
  return { ...user, click };
}

/** Signs in through the API, as the login page does. */
async function signIn(network: Network, { username, password }: Account): Promise<void> {
  const client = new ApiClient(await network.url());
  const user: SignedInUser = await client.call(sessionApi.login, { body: { username, password } });
  network.cookies.copyFrom(client.cookies);
  localStorage.setItem('user', JSON.stringify(user));
}

/** Runs after each test, so that the next one starts with a new browser. */
export async function closeConsole(): Promise<void> {
  root?.unmount();
  root = undefined;
  vi.restoreAllMocks();
  vi.useRealTimers();
  globalThis.fetch = nativeFetch;
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  const { hideAllMessages } = await import('../lib/page/messages.ts');
  hideAllMessages();
  const { setUnreachable } = await import('../lib/api/reachable.ts');
  setUnreachable(false);
}
