import { parseArgs } from 'node:util';
import type { Ledger } from '@headgate/contract';
import { readProcessConfig } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { checkStoredLedger } from '../records/ledger/stored-ledger-repository.ts';
import { exitCodes, printLine, runMain, UsageError } from './run-main.ts';

/** `npm run audit -- [--database <file or address>]`: checks the ledger of every user. Changes nothing. */
await runMain(async () => {
  const from = databaseArgument();
  const ledger = await checkStoredLedger(readProcessConfig(), from);
  for (const line of report(ledger)) printLine(line);
  return isBalanced(ledger) ? exitCodes.done : exitCodes.failed;
});

function databaseArgument(): string | undefined {
  try {
    return parseArgs({ options: { database: { type: 'string' } } }).values.database;
  } catch {
    throw new UsageError(`Use: ${commandLine('audit', '[--database <file or postgres:// address>]')}`);
  }
}

function isBalanced({ drift, log_drift, budget_drift }: Ledger): boolean {
  return drift === 0 && log_drift === 0 && budget_drift === 0;
}

function report(ledger: Ledger): string[] {
  const { users, drift, log_drift, budget_drift, offenders, set_aside } = ledger;
  const aside = set_aside === 0 ? [] : [`${set_aside} unreadable charges set aside (table set_aside_charges)`];
  if (isBalanced(ledger)) return [`ledger balanced: ${users} users`, ...aside];
  const budgets = budget_drift === 0 ? [] : [`budgets off by ${budget_drift}`];
  if (drift === 0 && log_drift === 0) return [`ledger of ${users} users balanced`, ...budgets, ...aside];
  return [
    `ledger of ${users} users off by ${withLog(drift, log_drift)}; largest first:`,
    // Quoted and escaped, because a name may contain terminal control characters.
    ...offenders.map(
      (each) => `user ${each.id} ${JSON.stringify(each.username)}: ${withLog(each.drift, each.log_drift)}`,
    ),
    ...budgets,
    ...aside,
  ];
}

/** Mentions the logs only if they do not match. */
function withLog(drift: number, logDrift: number): string {
  return logDrift === 0 ? String(drift) : `${drift}; log off by ${logDrift}`;
}
