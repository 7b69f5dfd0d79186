import { builtinEnvironments, type Environment } from 'vitest/runtime';

let isReady = false;

/**
 * One jsdom window for all test files of a worker. Modules are shared between files (`isolate: false`), and libraries
 * keep references to the window in which they were loaded.
 */
const environment: Environment = {
  ...builtinEnvironments.jsdom,
  name: 'shared-jsdom',
  async setup(global, options) {
    if (!isReady) await builtinEnvironments.jsdom.setup(global, options);
    isReady = true;
    return { teardown: () => {} };
  },
};

export default environment;
