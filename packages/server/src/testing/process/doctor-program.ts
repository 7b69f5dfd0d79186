import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Finding } from '../../commands/doctor/database-check.ts';
import type { TestApp } from '../test-app.ts';
import { runFile } from './program.ts';

/** Temporary folder that is deleted after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface DoctorResult {
  readonly state: string;
  readonly findings: readonly Finding[];
}

export async function runDoctor(environment: Record<string, string>, workingDirectory = emptyFolder()) {
  await using program = runFile('doctor.ts', ['--json'], {
    environment: { PORT: '0', ...environment },
    workingDirectory,
  });
  const { code, stdout, stderr } = await program.exit;
  expect(stderr).toBe('');
  const reported = JSON.parse(stdout) as DoctorResult;
  const of = (check: string) => reported.findings.filter((finding) => finding.check === check);
  return { code, state: reported.state, text: stdout, findings: reported.findings, of };
}

export const doctorEnvironment = ({ location: { dataDir, databaseUrl } }: TestApp) => ({
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
});
