import { runCheckSteps } from './check-steps.ts';

const results = await runCheckSteps();
process.exitCode = results.every(({ hasPassed }) => hasPassed) ? 0 : 1;
