import type { AnswerStore } from '../ports/ports.ts';

/** A gateway that stores no responses. */
export const noAnswers: AnswerStore = {
  isOn: () => false,
  find: async () => ({ items: new Map() }),
  add: async () => false,
};
