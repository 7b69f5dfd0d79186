import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { type ReceivedRequest, stream } from '../upstreams/stub-upstream.ts';
import { defaultUsage, instruction, limit, question, responseChunks, tool, toolJson, type Wire } from './wire.ts';

const [app, secret, apiKey] = ['app-1', 'secret-of-spark', 'key-of-spark'];

/** The signature in the URL covers host, date and path. */
function expectSigned({ path, headers }: ReceivedRequest): void {
  const { pathname, searchParams } = new URL(path, 'http://stand-in');
  expect(pathname).toBe('/v3.5/chat');
  const date = searchParams.get('date') ?? '';
  expect(searchParams.get('host')).toBe(headers.host);
  expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(300_000);
  const text = `host: ${headers.host}\ndate: ${date}\nGET /v3.5/chat HTTP/1.1`;
  const signature = createHmac('sha256', secret ?? '')
    .update(text)
    .digest('base64');
  expect(Buffer.from(searchParams.get('authorization') ?? '', 'base64').toString('utf8')).toBe(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  );
}

const sparkMessage = { text: { question_tokens: 4, prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };

const frame = (status: number, piece: object) =>
  JSON.stringify({
    header: { code: 0, message: 'Success', sid: 's1', status },
    payload: {
      choices: { status, seq: 0, text: [{ role: 'assistant', index: 0, ...piece }] },
      ...(status === 2 && { usage: sparkMessage }),
    },
  });

export const sparkSocket: Wire = {
  type: 18,
  name: 'Spark by socket',
  model: 'Spark-Max',
  hasTools: true,
  usage: defaultUsage,
  isSocket: true,
  channel: () => ({ key: [app, secret, apiKey].join('|'), other: 'v3.5' }),
  expectRequest(request, { hasTools }) {
    expect(request.method).toBe('GET');
    expectSigned(request);
    expect(request.body).toEqual({
      header: { app_id: app },
      parameter: { chat: { domain: 'generalv3.5', max_tokens: limit } },
      payload: {
        message: {
          text: [
            { role: 'system', content: instruction },
            { role: 'user', content: question },
          ],
        },
        ...(hasTools && { functions: { text: [tool] } }),
      },
    });
  },
  respond: ({ isCall }) =>
    stream(
      isCall
        ? [frame(2, { content: '', function_call: { name: tool.name, arguments: toolJson } })]
        : responseChunks.map((content, index) => frame(index === responseChunks.length - 1 ? 2 : index, { content })),
    ),
  reject: (message) => stream([JSON.stringify({ header: { code: 11_200, message, sid: 's1', status: 2 } })]),
};
