import { errorCodeHeader, type OptionKey, optionApi, optionKeys, optionRow } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { optionSamples } from '../../testing/settings/option-samples.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const [admin, root] = [await app.as('admin'), await app.as('root')];
// A later test turns on the second-factor requirement.
await app.database.updateTable('users').set({ second_factor: 1 }).execute();

const storedOf = (key: OptionKey) =>
  app.database.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst();
const managementLogs = () => app.database.selectFrom('logs').select('id').where('type', '=', 3).execute();

/** Settings come before the switches that require them. */
const inOrder = optionKeys.toSorted((a, b) => Number('needs' in optionRow(a)) - Number('needs' in optionRow(b)));

describe.each(inOrder)('%s', (key) => {
  const body = { key, value: optionSamples[key].good };
  const isOfRoot = optionRow(key).changedBy === 'root';

  test(`[A67.1] an admin ${isOfRoot ? 'cannot change it, and nothing is stored' : 'can change it'}`, async () => {
    const before = [await storedOf(key), (await managementLogs()).length];
    const response = await admin.send(optionApi.update, { body });
    expect(response.headers.get(errorCodeHeader)).toBe(isOfRoot ? 'optionOfRoot' : null);
    if (!isOfRoot) return;
    expect(response.body).toEqual({
      success: false,
      message: `Only a super admin can change this setting: ${optionRow(key).label}`,
    });
    expect([await storedOf(key), (await managementLogs()).length]).toEqual(before);
  });

  test('[A67.1] root can change it', async () => {
    const response = await root.send(optionApi.update, { body });
    expect(response.body).toEqual({ success: true, message: '' });
  });
});

test('[A67.1] an admin reads the same options as root', async () => {
  const query = { ratios: 'saved' } as const;
  const options = await admin.call(optionApi.list, { query });
  expect(options).toEqual(await root.call(optionApi.list, { query }));
  expect(options.map(({ key }) => key).sort()).toEqual([...optionKeys].sort());
});

test('[A67.1] an admin is rejected even for the current value and for an invalid one', async () => {
  for (const value of ['off', 'anything']) {
    const response = await admin.send(optionApi.update, { body: { key: 'KeepBodies', value } });
    expect(response.headers.get(errorCodeHeader)).toBe('optionOfRoot');
  }
});
