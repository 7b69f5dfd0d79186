import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as plainTest } from '@playwright/test';
import { setOption } from './people.ts';
import { startProgram } from './start-program.ts';

export { expect } from '@playwright/test';

/** The built product, running on a loopback port with a data folder of its own. */
export interface Product {
  readonly url: string;
  /** Where its data lies. */
  readonly folder: string;
  /** Ends it with grace and removes its data. */
  stop(): Promise<void>;
}

/** Each worker has its own product, each test its own browser context; addresses are relative to the product. */
export const test = plainTest.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of wanted fixtures from this pattern.
    async ({}, use) => {
      const product = await startProduct();
      // Journeys speak of models that nobody priced.
      await setOption(product.url, 'ModelsWithoutPrice', 'charge');
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ product }, use) => use(product.url),
  // A route handler that still runs when the test ends must not fail it: its response is gone with the page.
  page: async ({ page }, use) => {
    await use(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch((error: unknown) => {
      // The test may have closed the page itself.
      if (!page.isClosed()) throw error;
    });
  },
});

const checkout = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
/** What `npm run pack` makes. */
export const packedProgram = fileURLToPath(new URL('../../../dist/package/bin/headgate.mjs', import.meta.url));

/** `E2E_PACKED=1 npm run e2e` takes all journeys through the package instead of the checkout. */
const usualProgram = process.env['E2E_PACKED'] === '1' ? packedProgram : checkout;

/** The tests call more often than anybody may. */
const noLimits = { API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' };

/** Starts the product; what is given is added to its environment. */
export async function startProduct(
  settings: Readonly<Record<string, string>> = {},
  program = usualProgram,
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-e2e-'));
  // Nothing of the developer's own environment or .env reaches the product.
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DRAIN_SECONDS: '0',
    ...noLimits,
    ...settings,
  };
  const { url, end } = await startProgram([program], { folder, environment });
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, folder, stop };
}
