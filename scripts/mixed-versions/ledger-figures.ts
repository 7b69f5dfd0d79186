import type { BenchDatabase } from '../bench/bench-database.ts';
import type { Figure } from '../bench/figures.ts';
import type { RecordingClients } from './recording-clients.ts';

interface LedgerSources {
  readonly database: BenchDatabase;
  readonly witnesses: RecordingClients;
  readonly ledger: { readonly drift: number; readonly log_drift: number };
}

const nothing = (name: string, found: number): Figure => ({
  name,
  measured: String(found),
  bound: { text: '0', isKept: found === 0 },
});

/** Compares the responses that clients recorded with the ledger. */
export async function ledgerFigures({ database, witnesses, ledger }: LedgerSources): Promise<readonly Figure[]> {
  const rows = await database.ask('select request_id, quota from logs where type = 2');
  const [user] = await database.ask('select used_quota, request_count from users_now where id = 1');
  const times = new Map<string, number>();
  for (const { request_id } of rows) times.set(String(request_id), (times.get(String(request_id)) ?? 0) + 1);
  const charged = rows.reduce((sum, { quota }) => sum + Number(quota), 0);
  const prices = new Set(rows.map(({ quota }) => Number(quota)));
  return [
    { name: 'responses that clients saw', measured: String(witnesses.seen.length) },
    nothing('of them not in the log', witnesses.seen.filter((id) => !times.has(id)).length),
    nothing('log entries that exist twice', [...times.values()].filter((count) => count > 1).length),
    nothing('log entries of responses that no client saw', rows.length - witnesses.seen.length),
    nothing('requests that were rejected or interrupted', witnesses.unexpected),
    { name: 'charges in the log', measured: [...prices].join(', ') },
    nothing('charged but not in the log', Number(user?.['used_quota']) - charged),
    nothing('requests counted but not in the log', Number(user?.['request_count']) - rows.length),
    nothing('ledger off by', ledger.drift),
    nothing('and from the log by', ledger.log_drift),
  ];
}
