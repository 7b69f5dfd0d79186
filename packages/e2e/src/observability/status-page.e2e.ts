import { expectAccessible } from '../support/accessibility.ts';
import { setOption } from '../support/people.ts';
import { expect, test } from '../support/product.ts';

const hour = 3600;
const now = 1_790_000_000;
const shares = (count: number, odd: Readonly<Record<number, number | null>>) =>
  Array.from({ length: count }, (_, index) => (index in odd ? odd[index] : 1));
const span = (availability: number | null, latency: number | null, first_byte: number | null) => ({
  availability,
  latency,
  first_byte,
});

const several = {
  time: now,
  first_hour: now - (now % hour) - 23 * hour,
  first_day: now - (now % 86_400) - 89 * 86_400,
  models: [
    {
      model: 'claude-sonnet-4-5',
      day: span(1, 2300, 640),
      quarter: span(0.998, 2500, 700),
      hours: shares(24, {}),
      days: shares(90, { 40: 0.95, 41: 0.7 }),
    },
    {
      model: 'gpt-5',
      day: span(0.931, 41_000, 900),
      quarter: span(0.98, 12_000, null),
      hours: shares(24, { 3: 0.97, 22: 0.4, 23: 0.2, 8: null }),
      days: shares(90, { 89: 0.93 }),
    },
    {
      model: 'a-model-with-a-very-long-name/that-somebody-has-put-behind-several-slashes/and-dashes-0123456789-preview',
      day: span(null, null, null),
      quarter: span(null, null, null),
      hours: shares(24, Object.fromEntries(Array.from({ length: 24 }, (_, index) => [index, null]))),
      days: shares(90, Object.fromEntries(Array.from({ length: 90 }, (_, index) => [index, null]))),
    },
  ],
};

test('shows visitors the status of the models', async ({ page, product }) => {
  await page.route(/\/api\/public_status\/?$/, (route) =>
    route.fulfill({ json: { success: true, message: '', data: several } }),
  );
  await setOption(product.url, 'StatusPageEnabled', 'true');
  try {
    await page.goto('/status');
    await expect(page.getByText('Problems with 1 of 3 models')).toBeVisible();
    await expectAccessible(page, 'the status page');
  } finally {
    await setOption(product.url, 'StatusPageEnabled', 'false');
  }
});
