import { optionApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '1' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const model = 'mistral-ocr-latest';
/** $4 per 1,000 pages at 500,000 points per dollar. */
const pointsPerPage = 2000;
const channel = { type: 28, models: model };

async function sceneOf(upstreams: readonly UpstreamHandler[], fields: Parameters<typeof relayFixture>[1] = {}) {
  const scene = await relayFixture(app, { upstreams, channel, ...fields });
  scenes.push(scene);
  return scene;
}

const document = { type: 'document_url', document_url: 'https://docs.example/report.pdf' };
const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    index,
    markdown: `# Page ${index}`,
    images: [],
    dimensions: { dpi: 200, height: 2200, width: 1700 },
  }));
const responseOf = (count: number) => ({
  model,
  pages: pagesOf(count),
  usage_info: { pages_processed: count, doc_size_bytes: 3000 },
});

test.each([8, 28])('passes a document through a channel of type %i and charges its pages', async (type) => {
  const scene = await sceneOf([reply(responseOf(3))], { channel: { type, models: model } });
  const body = { model, document, include_image_base64: true, image_limit: 5, image_min_size: 100 };
  const response = await scene.post('/v1/ocr', body);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(responseOf(3));
  expect(scene.upstreams[0]?.received[0]).toMatchObject({ path: '/v1/ocr', body });
  const { user, logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ model_name: model, prompt_tokens: 0, completion_tokens: 0, ended_by: '' }]);
  const { units, counted } = JSON.parse(logs[0]?.detail ?? '{}');
  expect([units, counted]).toEqual([3000, undefined]);
  expect([user.used_quota, logs[0]?.quota, drift]).toEqual([3 * pointsPerPage, 3 * pointsPerPage, 0]);
});

test('charges a response that is too long to be buffered by other endpoints', async () => {
  const { pages, ...others } = responseOf(1);
  const long = { pages: [{ ...pages[0], images: [{ image_base64: 'A'.repeat(9 * 1024 * 1024) }] }], ...others };
  const scene = await sceneOf([reply(long)]);
  const response = await scene.post('/v1/ocr', { model, document, include_image_base64: true });
  expect(await response.json()).toEqual(long);
  const { user, drift } = await scene.books();
  expect([user.used_quota, drift]).toEqual([pointsPerPage, 0]);
});

test('tries the next channel if one fails or returns no pages', async () => {
  for (const bad of [reply({ message: 'down' }, 503), reply({ detail: 'overloaded' })]) {
    const scene = await sceneOf([bad, reply(responseOf(1))]);
    expect((await scene.post('/v1/ocr', { model, document })).status).toBe(200);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 1]);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([pointsPerPage, 0]);
  }
});

test('rejects a channel type without OCR by name and charges nothing', async () => {
  const scene = await sceneOf([completion()], { channel: { type: 36, models: model } });
  const response = await scene.post('/v1/ocr', { model, document });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('does not support /v1/ocr'), code: 'not_offered' },
  });
  expect((await scene.books()).user.used_quota).toBe(0);
});

describe('[A5.11] OCR reservations', () => {
  test('require the price of all listed pages', async () => {
    const body = { model, document, pages: [0, 1, 2] };
    const poor = await sceneOf([reply(responseOf(3))], { quota: 3 * pointsPerPage - 1 });
    expect((await poor.post('/v1/ocr', body)).status).toBe(402);
    expect(poor.upstreams[0]?.received).toHaveLength(0);
    const able = await sceneOf([reply(responseOf(3))], { quota: 3 * pointsPerPage });
    expect((await able.post('/v1/ocr', body)).status).toBe(200);
    expect(await able.books()).toMatchObject({ user: { quota: 0 }, drift: 0 });
  });

  test('of unknown length take the balance, and require one page', async () => {
    const poor = await sceneOf([reply(responseOf(1))], { quota: pointsPerPage - 1 });
    expect((await poor.post('/v1/ocr', { model, document })).status).toBe(402);
    const able = await sceneOf([reply(responseOf(1))], { quota: pointsPerPage });
    expect((await able.post('/v1/ocr', { model, document })).status).toBe(200);
    expect(await able.books()).toMatchObject({ user: { quota: 0 }, drift: 0 });
  });
});

describe('invalid OCR requests', () => {
  const rejections: readonly [string, object, string][] = [
    ['no document', { document: undefined }, 'field document is required'],
    ['a document that is text', { document: 'https://docs.example/a.pdf' }, 'document must be an object'],
    ['a stored file', { document: { type: 'file', file_id: 'f1' } }, 'document.type must be document_url or image_url'],
    ['a stored file beside a URL', { document: { ...document, file_id: 'f1' } }, 'document.file_id is not supported'],
    [
      'two documents',
      { document: { ...document, image_url: 'https://a.example' } },
      'document.image_url is not supported',
    ],
    ['a document without URL', { document: { type: 'document_url' } }, 'document.document_url must be text'],
    ['an empty URL', { document: { type: 'image_url', image_url: '' } }, 'document.image_url must not be empty'],
    ['a page range', { pages: '0-3' }, 'pages must be a list'],
    ['a negative page', { pages: [-1] }, 'pages must be a list of page numbers'],
    ['too many pages', { pages: Array(1001).fill(0) }, 'pages must contain at most 1000 items'],
    ['two spellings', { Pages: [0] }, 'Unknown field Pages. Use pages instead'],
    ['document annotations', { document_annotation_format: { type: 'json_schema' } }, 'document_annotation_format'],
    ['image annotations', { bbox_annotation_format: { type: 'json_schema' } }, 'bbox_annotation_format'],
  ];
  test.each(rejections)('are rejected before sending: %s', async (_, fields, message) => {
    const scene = await sceneOf([completion()]);
    const response = await scene.post('/v1/ocr', { model, document, ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
    expect(scene.upstreams[0]?.received).toHaveLength(0);
  });
});
