import { parseArgs } from 'node:util';
import { inspectProcessConfig } from '../config.ts';
import { formatReport } from './doctor/run-checks.ts';
import { runDoctor } from './doctor-command.ts';

/** `headgate doctor [--json]`: reports problems with this gateway and how to fix them. Changes nothing. */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const examination = await runDoctor(inspectProcessConfig());
process.stdout.write(values.json ? `${JSON.stringify(examination, null, 2)}\n` : formatReport(examination));
process.exitCode = examination.state === 'fail' ? 1 : 0;
