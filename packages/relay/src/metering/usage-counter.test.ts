import { expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { collectPromptTexts } from './usage-counter.ts';

const textsOf = (kind: 'chat' | 'ollamaChat', message: object) => {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', ...message }] };
  return collectPromptTexts(readRequest(endpointKinds[kind], Buffer.from(JSON.stringify(body))), [])?.texts ?? [];
};

const image = 'data:image/png;base64,iVBORAAA';

test.each([
  [
    'chat',
    {
      content: [
        { type: 'text', text: 'words' },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
  ],
  ['ollamaChat', { content: 'words', images: ['iVBORAAA'] }],
] as const)('[A5.9] counts text next to an image in %s, but not the image as text', (kind, message) => {
  const texts = textsOf(kind, message);
  expect(texts).toContain('words');
  expect(texts.join(' ')).not.toContain('iVBORAAA');
});
