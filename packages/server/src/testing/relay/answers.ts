import { expect } from 'vitest';

/** Body of a response without data. */
export const done = { success: true, message: '' } as const;

export const refused = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});
