import type { Target } from './load.ts';

/** Address of a server and the key it requires. */
export interface Address {
  readonly url: string;
  readonly pid: number;
  readonly key: string;
}

export const chatPath = '/v1/chat/completions';

export const chatRequestBody = (model: string, fields: object = {}): string =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'tell me about locks and weirs '.repeat(28) }],
    ...fields,
  });

export const streamRequestBody = chatRequestBody('gpt-4o', { stream: true, stream_options: { include_usage: true } });

export const targetOf = ({ url, pid, key }: Address, path: string, body: string, ending: string): Target => ({
  url,
  pid,
  path,
  body,
  ending,
  headers: { authorization: `Bearer sk-${key}` },
});

export const jsonTarget = (address: Address): Target => targetOf(address, chatPath, chatRequestBody('gpt-4o'), '}');
