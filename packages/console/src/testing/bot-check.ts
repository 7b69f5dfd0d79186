import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import type { Turnstile } from '../lib/account/turnstile.ts';

let tokens = 0;

/** Renders a button that returns a new token per click: `good-1`, `good-2` and so on. */
const turnstile: Turnstile = {
  render: (element, { sitekey, callback }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Widget of ${sitekey}`;
    button.onclick = () => {
      tokens += 1;
      callback(`good-${tokens}`);
    };
    element.append(button);
    return 'widget';
  },
  reset: () => {},
  remove: () => {},
};

/** Fakes the Turnstile script until the test ends, because jsdom loads no scripts. */
export function mockTurnstile(): void {
  tokens = 0;
  Object.assign(window, { turnstile });
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLScriptElement && node.src.startsWith('https://challenges.cloudflare.com/'))
        node.dispatchEvent(new Event('load'));
  });
  observer.observe(document.head, { childList: true });
  onTestFinished(() => observer.disconnect());
}

const widgetName = /^Widget of/;
export const findWidget = () => screen.findByRole('button', { name: widgetName });
export const queryWidget = () => screen.queryByRole('button', { name: widgetName });

export const passBotCheck = async (user: UserEvent) => user.click(await findWidget());

export const botCheckPendingText = 'Please retry in a few seconds, Turnstile is checking the user environment!';
