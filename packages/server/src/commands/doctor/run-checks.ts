import type { InspectedSettings } from '../../config.ts';
import { checkConfigFile } from './config-file-check.ts';
import { checkDatabase } from './database-check.ts';
import { checkDisk } from './disk-check.ts';
import type { Finding, FindingState } from './finding.ts';
import { checkChannels, checkPort } from './network-check.ts';
import { checkProcess } from './process-check.ts';
import { checkSettings } from './settings-check.ts';

export interface DoctorReport {
  readonly state: FindingState;
  readonly findings: readonly Finding[];
}

/** Checks everything a gateway needs, running or not. Changes nothing. */
export async function runChecks(settings: InspectedSettings): Promise<DoctorReport> {
  const findings = [...checkSettings(settings), ...checkProcess(), ...(await checkRest(settings))];
  const worst = (['fail', 'warn'] as const).find((state) => findings.some((finding) => finding.state === state));
  return { state: worst ?? 'ok', findings };
}

/** Runs the checks that need valid settings. */
async function checkRest({ config }: InspectedSettings): Promise<readonly Finding[]> {
  if (config === undefined) return [];
  const { findings, channels } = await checkDatabase(config);
  return [
    ...checkConfigFile(config),
    ...checkDisk(config.dataDir, config.databaseUrl === undefined),
    ...findings,
    await checkPort(config),
    ...(channels === undefined ? [] : await checkChannels(channels)),
  ];
}

/** Human-readable report: one line per finding, with the fix below. */
export function formatReport({ state, findings }: DoctorReport): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap((finding) => [
    `${finding.state.padEnd(4)}  ${finding.check.padEnd(width)}  ${finding.says}`,
    ...(finding.todo === undefined ? [] : [`${' '.repeat(width + 8)}→ ${finding.todo}`]),
  ]);
  return `${[...lines, '', summaries[state]].join('\n')}\n`;
}

const summaries: Readonly<Record<FindingState, string>> = {
  ok: 'No problems found.',
  warn: 'The gateway can serve requests, with warnings.',
  fail: 'Problems found. Fix them before you start the gateway.',
};
