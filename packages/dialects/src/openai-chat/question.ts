import { listAt, objectAt } from '../upstream-fields.ts';

/** The body of a request that asks one question. */
export const writeQuestion = (model: string, question: string): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: question }] });

/** The text of a whole answer; undefined when it has none. */
export function readAnswerText(answer: unknown): string | undefined {
  const { content } = objectAt(listAt(answer, 'choices')[0], 'message');
  return typeof content === 'string' ? content : undefined;
}
