import { parseArgs } from 'node:util';
import { inspectProcessConfig } from '../config.ts';
import { report, runChecks } from './doctor/run-checks.ts';

/** `headgate doctor [--json]`: reports problems with this gateway and how to fix them. Changes nothing. */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const examination = await runChecks(inspectProcessConfig());
process.stdout.write(values.json ? `${JSON.stringify(examination, null, 2)}\n` : report(examination));
process.exitCode = examination.state === 'fail' ? 1 : 0;
