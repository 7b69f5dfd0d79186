/** Journeys of a page whose names do not start with the page's name. */
export const journeyAliases: Readonly<Record<string, readonly string[]>> = {
  channel: ['bulk-channels', 'health'],
  failure: ['health'],
  login: ['sign-in', 'sign-in-passkey'],
  oauth: ['sign-in'],
  reset: ['register'],
  setting: ['access-tokens', 'sign-in-passkey'],
  topup: ['redemption'],
};

/** Run when code shared by all pages has changed. */
export const smokeJourneys: readonly string[] = ['sign-in', 'home', 'channel', 'token'];

const page = /^packages\/console\/src\/pages\/([^/]+)\//;
const shared = /^packages\/console\/(?!src\/pages\/)|^packages\/e2e\/(?!src\/.*\.e2e\.ts$)/;
const unitTest = /\.test\.tsx?$/;

const fileOf = (name: string): string => `${name}.e2e.ts`;

/** Journey files for the changed files; `journeys` are the names of all journey files. */
export function journeysFor(changed: readonly string[], journeys: readonly string[]): readonly string[] {
  const chosen = new Set(changed.filter((file) => !unitTest.test(file)).flatMap((file) => ofFile(file, journeys)));
  return journeys.filter((journey) => chosen.has(journey));
}

function ofFile(file: string, journeys: readonly string[]): readonly string[] {
  const name = page.exec(file)?.[1];
  if (name !== undefined) return ofPage(name, journeys);
  if (shared.test(file)) return smokeJourneys.map(fileOf);
  return journeys.filter((journey) => file.startsWith('packages/e2e/src/') && file.endsWith(`/${journey}`));
}

/** `channel` has channel.e2e.ts and channel-form.e2e.ts, `alert` has alerts.e2e.ts. */
function ofPage(name: string, journeys: readonly string[]): readonly string[] {
  const others = (journeyAliases[name] ?? []).map(fileOf);
  const own = new RegExp(`^${name}s?[.-]`);
  return journeys.filter((journey) => own.test(journey) || others.includes(journey));
}
