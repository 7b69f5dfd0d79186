import { expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { requestAttachments } from './attachments.ts';
import { promptTokenBound } from './prompt-bound.ts';

const channelsFor = (...names: readonly string[]) => names.map((name) => ({ modelMapping: new Map([['fast', name]]) }));
const data = 'A'.repeat(400_000);

function attachmentsFor(kind: keyof typeof endpointKinds, message: object, channels = channelsFor('gpt-4o')) {
  const body = { model: 'fast', max_tokens: 10, messages: [{ role: 'user', ...message }] };
  return requestAttachments(readRequest(endpointKinds[kind], Buffer.from(JSON.stringify(body))), channels);
}

test('[A5.5] reserves an image at the highest price among the possible models, even for an alias', () => {
  const image = { content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } }] };
  expect(attachmentsFor('chat', image, channelsFor('gpt-4o', 'gpt-4o-mini')).measured).toBe(48_169);
  expect(attachmentsFor('chat', image, channelsFor('gpt-4o'))).toMatchObject({ measured: 5000, dearest: 48_169 });
});

test('[A64.7] reserves quota for each reference to an image', () => {
  const part = { type: 'image_url', image_url: { url: 'https://images.test/a' } };
  const held = attachmentsFor('chat', { content: Array.from({ length: 200 }, () => part) });
  expect(held).toMatchObject({ measured: 200 * 5000, dearest: 200 * 48_169 });
  const block = { type: 'image', source: { type: 'url', url: 'https://images.test/a' } };
  const result = { type: 'tool_result', tool_use_id: 't', content: [block, block] };
  expect(attachmentsFor('messages', { content: [block, result, result] }).measured).toBe(5 * 5000);
});

test.each([
  ['Ollama', 'ollamaChat', { content: 'hi', images: [`data:text/plain;base64,${data}`] }],
  [
    'Anthropic',
    'messages',
    { content: [{ type: 'image', source: { type: 'base64', media_type: 'application/pdf', data } }] },
  ],
] as const)('[A5.5] treats a file declared as an image as a file: %s', (_, kind, message) => {
  expect(attachmentsFor(kind, message)).toMatchObject({ isUnbounded: true, measured: 0 });
});

test('[A5.5] counts a number with an exponent by its length when written in full', () => {
  const bytes = Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"x":[1e20,1e20]}]}');
  const request = readRequest(endpointKinds.chat, bytes);
  const written = JSON.stringify(request.body).length;
  expect(promptTokenBound({ ...request, exponents: 2 }, []) - promptTokenBound(request, [])).toBeGreaterThanOrEqual(
    written - bytes.length,
  );
});
