import { type OptionKey, optionApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ isUntouched: true });
const admin = await app.as('admin');

type Ratios = Record<string, number>;

async function listed(key: OptionKey, ratios: 'effective' | 'saved' = 'effective'): Promise<Ratios> {
  const rows = await admin.call(optionApi.list, { query: { ratios } });
  return JSON.parse(rows.find((row) => row.key === key)?.value ?? '{}');
}

const put = (key: OptionKey, value: Ratios) =>
  admin.call(optionApi.update, { body: { key, value: JSON.stringify(value) } });

test.each(['ModelRatio', 'CompletionRatio'] as const)(
  '%s lists built-in values, as the One API console expects, and saves only differences',
  async (key) => {
    const builtIn = await listed(key);
    expect(Object.keys(builtIn).length).toBeGreaterThan(500);
    expect(await listed(key, 'saved')).toEqual({});

    // As the One API console does: reads the whole list, edits two entries and writes the whole list.
    await put(key, { ...builtIn, 'gpt-4o': 7, 'own-model': 3 });
    expect(await listed(key, 'saved')).toEqual({ 'gpt-4o': 7, 'own-model': 3 });
    expect(await listed(key)).toEqual({ ...builtIn, 'gpt-4o': 7, 'own-model': 3 });

    const edited = await listed(key);
    delete edited['own-model'];
    await put(key, edited);
    expect(await listed(key)).toEqual({ ...builtIn, 'gpt-4o': 7 });
  },
);

test('a saved price stays saved even if it equals the built-in one', async () => {
  const { 'gpt-4o-mini': usual = 0 } = await listed('ModelRatio');
  await put('ModelRatio', { 'gpt-4o-mini': usual });
  expect(await listed('ModelRatio', 'saved')).toEqual({ 'gpt-4o-mini': usual });
  await put('ModelRatio', await listed('ModelRatio'));
  expect(await listed('ModelRatio', 'saved')).toEqual({ 'gpt-4o-mini': usual });
});

test('a model whose price was saved under an unusual name is listed', async () => {
  await put('ModelRatio', { constructor: 2, 模型: 1 });
  expect(await listed('ModelRatio')).toMatchObject({ 模型: 1 });
  expect((await listed('ModelRatio'))['constructor']).toBe(2);
});
