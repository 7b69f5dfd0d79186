import { expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { images } from './index.ts';

const imagen = { ...testUpstream, model: 'imagen-4.0-generate-001' };
const flash = { ...testUpstream, model: 'gemini-2.5-flash-image' };
const sent = (body: object, upstream = imagen) => {
  const request = images.encode({ ...body }, upstream);
  return { url: request.url, body: JSON.parse(request.body ?? '') as unknown };
};

test('requests several images with one aspect ratio from Imagen', () => {
  expect(sent({ prompt: 'A cat', n: 2, size: '1792x1024' })).toEqual({
    url: 'https://upstream.test/v1beta/models/imagen-4.0-generate-001:predict',
    body: { instances: [{ prompt: 'A cat' }], parameters: { sampleCount: 2, aspectRatio: '16:9' } },
  });
  const body = { predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'AAAA' }, { bytesBase64Encoded: 'BBBB' }] };
  expect(images.decode(body, imagen)).toEqual({
    reply: { created: 1_735_689_600, data: [{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }] },
  });
});

test('requests one image from Gemini', () => {
  expect(sent({ prompt: 'A cat', size: '1024x1024' }, flash)).toEqual({
    url: 'https://upstream.test/v1beta/models/gemini-2.5-flash-image:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'A cat' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:1' } },
    },
  });
  const parts = [{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }];
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 1290 };
  expect(images.decode({ candidates: [{ content: { parts } }], usageMetadata }, flash)).toEqual({
    reply: { created: 1_735_689_600, data: [{ b64_json: 'AAAA' }] },
    usage: { promptTokens: 3, completionTokens: 1290 },
  });
  expect(() => sent({ prompt: 'A cat', n: 2 }, flash)).toThrow('set n to 1');
});

test.each([
  ['1024x1536', '3:4'],
  ['1536x1024', '4:3'],
  ['1024x1792', '9:16'],
  ['auto', undefined],
])('maps a size of %s to the aspect ratio %s', (size, aspectRatio) => {
  expect(sent({ prompt: 'A cat', size }).body).toMatchObject({ parameters: aspectRatio ? { aspectRatio } : {} });
});

test.each([
  [{ prompt: 'A cat', response_format: 'url' }, 'response_format'],
  [{ prompt: 'A cat', size: 'big' }, 'size'],
  [{ prompt: 'A cat', size: '0x5' }, 'size'],
  [{}, 'prompt'],
])('rejects %j and names the field', (body, param) => {
  expect(() => sent(body)).toThrow(expect.objectContaining({ param }));
});

test.each([
  [{ promptFeedback: { blockReason: 'SAFETY' } }, flash, 400],
  [{ predictions: [{ raiFilteredReason: 'Not allowed' }] }, imagen, 400],
  [{ candidates: [{ finishReason: 'STOP', content: {} }] }, flash, 502],
  [null, imagen, 502],
])('fails on the image response %j', (body, upstream, status) => {
  expect(() => images.decode(body, upstream)).toThrow(expect.objectContaining({ status }));
});
