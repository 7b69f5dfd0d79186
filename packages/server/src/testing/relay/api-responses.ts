import { expect } from 'vitest';

/** Body of a response without data. */
export const apiSuccess = { success: true, message: '' } as const;

export const apiFailure = (message: string | RegExp) => ({
  success: false,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});
