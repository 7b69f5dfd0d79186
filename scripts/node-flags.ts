/** What Node is given where it serves: decision 21 says why. `npm start` has the same in package.json. */
export const nodeFlags = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring', '--v8-pool-size=2'] as const;
