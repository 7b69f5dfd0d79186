import { configure } from '@testing-library/react';
import {
  unstable_forceFrameRate as forceFrameRate,
  unstable_IdlePriority as idle,
  unstable_scheduleCallback as scheduleCallback,
} from 'scheduler';
import { afterEach } from 'vitest';
import { installBrowserShims } from './browser-shims.ts';
import { closeConsole } from './open-console.tsx';

installBrowserShims();
// React renders in slices of one second instead of 5 ms; otherwise queries would run between slices under high load.
forceFrameRate(1);
configure({
  // Long timeout, so that tests pass on slow machines; a query ends as soon as it succeeds.
  asyncUtilTimeout: 120_000,
  // Checking every ancestor for visibility is slow, and Mantine removes closed menus and dialogs from the document
  // anyway.
  defaultHidden: true,
  // React runs in production mode without act(): an action or query ends when no React work is pending.
  eventWrapper: (dispatch) => dispatch(),
  asyncWrapper: async (action) => {
    const result = await action();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => scheduleCallback(idle, () => resolve()));
    return result;
  },
  getElementError: (message) => new QueryError(message?.split('\n')[0] ?? ''),
});

/**
 * Prints the text of the page instead of the whole document. Computed lazily, because a waiting query fails many times
 * before it succeeds.
 */
class QueryError extends Error {
  constructor(summary: string) {
    super();
    Object.defineProperty(this, 'message', { configurable: true, get: () => `${summary}\n${shownText()}` });
  }
}

function shownText(): string {
  const parts = [...document.querySelectorAll('main, [role="dialog"], [role="menu"], [data-kind]')];
  return parts.map((part) => `${part.getAttribute('role') ?? part.localName}: ${part.textContent}`).join('\n');
}

afterEach(closeConsole);
