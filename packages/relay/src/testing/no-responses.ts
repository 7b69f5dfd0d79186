import type { ResponseStore } from '../ports/ports.ts';

/** A gateway that stores no responses. */
export const noStoredResponses: ResponseStore = {
  isOn: () => false,
  find: async () => ({ items: new Map() }),
  add: async () => false,
};
