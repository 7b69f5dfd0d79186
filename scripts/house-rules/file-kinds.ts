const tests = [
  /\.test\.tsx?$/,
  /^packages\/(e2e|testkit)\//,
  /^packages\/(server|providers|relay|console)\/src\/testing\//,
];

/** Tests and files that only tests use. */
export function isTest(path: string): boolean {
  return tests.some((pattern) => pattern.test(path));
}

export function isToolConfig(path: string): boolean {
  return /\.config\.ts$/.test(path);
}

/** Files that may open connections. */
const socketOwners = [
  /^packages\/relay\/src\/upstream\//,
  /^packages\/server\/src\/relay\/ingress\/relay-server\.ts$/,
  /^packages\/console\/src\/lib\/api\/call\.ts$/,
  /^packages\/server\/src\/platform\/outgoing\//,
];

export function ownsSockets(path: string): boolean {
  return isTest(path) || isToolConfig(path) || socketOwners.some((pattern) => pattern.test(path));
}

export const socketRule = {
  name: 'sockets-have-few-owners',
  message:
    'Only these files may open connections: relay/src/upstream, server/src/relay/ingress/relay-server.ts, console/src/lib/api/call.ts and server/src/platform/outgoing.',
} as const;
