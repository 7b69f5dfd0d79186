import { defineConfig } from '@playwright/test';
import { findChromium } from '../../scripts/chromium.ts';

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Tracing every journey takes a quarter of the run time; `npm run e2e -- --trace on name` traces a single one.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Animations would only make the tests slower.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // A getter, because dead code analysis loads this file on machines without a browser.
      get executablePath() {
        return findChromium();
      },
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Separate sites for tests of the same-origin policy.
        '--host-resolver-rules=MAP *.test 127.0.0.1',
      ],
    },
  },
});
