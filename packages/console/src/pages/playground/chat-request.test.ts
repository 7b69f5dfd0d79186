import { expect, test } from 'vitest';
import { chatRequest, codeLanguages, noParameters, requestCode } from './chat-request.ts';

const exchanges = [
  { question: 'first', pictures: [], answer: 'yes' },
  { question: "what's this?", pictures: ['data:image/png;base64,AA=='], answer: undefined },
];

test('the request includes the conversation, the images and the typed numbers', () => {
  expect(
    chatRequest('gpt-4o', { ...noParameters, system: 'Be brief', temperature: '0.5', maxTokens: '100' }, exchanges),
  ).toEqual({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'yes' },
      {
        role: 'user',
        content: [
          { type: 'text', text: "what's this?" },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
        ],
      },
    ],
    temperature: 0.5,
    max_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
  });
});

test('the request omits empty and non-numeric values', () => {
  const request = chatRequest('m', { ...noParameters, temperature: ' ', topP: 'much' }, []);
  expect(Object.keys(request)).toEqual(['model', 'messages', 'stream', 'stream_options']);
});

test.each(codeLanguages)('generates %s code with the request and without a key', (language) => {
  const code = requestCode(language, 'https://gate.example', chatRequest('gpt-4o', noParameters, exchanges));
  expect(code).toContain('https://gate.example/v1');
  expect(code).toContain('OPENAI_API_KEY');
  expect(code).not.toContain('sk-');
  expect(code).toContain('gpt-4o');
});

test('escapes quotes in a shell command', () => {
  const code = requestCode('curl', 'https://gate.example', chatRequest('m', noParameters, exchanges));
  expect(code).toContain(String.raw`what'\''s this?`);
});
