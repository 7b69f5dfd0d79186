import { expect } from 'vitest';

/** The body of a reply without data. */
export const done = { success: true, message: '' } as const;

export const refused = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});
