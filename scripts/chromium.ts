import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installDebianPackage } from './debian-package.ts';
import { repositoryRoot } from './repository.ts';

/** Runs without a display and takes two thirds of the browser's CPU time. */
const headlessShell = { path: '/usr/bin/chromium-headless-shell', debianPackage: 'chromium-headless-shell' };

const usualPlaces = [
  headlessShell.path,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Browser for the journeys. */
export function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
  }
  const installed = findInstalled();
  if (installed !== undefined) return installed;
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), run `npx ' +
      'playwright install chromium`, or set CHROMIUM_PATH to an installed Chrome.',
  );
}

/** Finds the browser for the journeys; installs the headless shell where possible. */
export function ensureChromium(): string {
  if (!process.env['CHROMIUM_PATH'] && !existsSync(headlessShell.path))
    installDebianPackage(headlessShell.debianPackage);
  return findChromium();
}

function findInstalled(): string | undefined {
  return [...usualPlaces, ...playwrightsOwn()].find((path) => existsSync(path));
}

function playwrightsOwn(): string[] {
  const requireOfJourneys = createRequire(join(repositoryRoot, 'packages/e2e/package.json'));
  try {
    const { chromium } = requireOfJourneys('@playwright/test') as { chromium: { executablePath(): string } };
    return [chromium.executablePath()];
  } catch {
    return [];
  }
}
