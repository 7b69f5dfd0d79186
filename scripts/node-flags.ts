/** Node flags for serving: see decision 21. `npm start` has the same in package.json. */
export const nodeFlags = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring', '--v8-pool-size=2'] as const;
