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
    // Recording every journey takes a quarter of the time; `npm run e2e -- --trace on name` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Nothing to wait for but the product itself.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        // Sites of their own for tests of the same-origin policy.
        '--host-resolver-rules=MAP *.test 127.0.0.1',
      ],
    },
  },
});
