import { listAt, objectAt } from '../upstream-fields.ts';

/** Body of a request with one user message. */
export const singleMessageBody = (model: string, question: string): string =>
  JSON.stringify({ model, messages: [{ role: 'user', content: question }] });

/** Text of a whole response; undefined without text. */
export function responseText(response: unknown): string | undefined {
  const { content } = objectAt(listAt(response, 'choices')[0], 'message');
  return typeof content === 'string' ? content : undefined;
}
