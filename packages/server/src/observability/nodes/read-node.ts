import type { GatewayNode } from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
import type { NodeRow } from './node-repository.ts';

const longestText = 200;
const mostSettings = 100;

/** Another node, as far as its row can be read: another version may have written different values. */
export const readNode = (row: NodeRow): GatewayNode => ({
  name: cut(row.name),
  version: cut(row.version),
  started_time: moment(row.started_time),
  is_this: false,
  seen_seconds: Math.floor(figure(row.unseen_ms) / 1000),
  is_silent: row.is_silent,
  running: figure(row.running),
  lag_ms: figure(row.lag_ms),
  leases: figure(row.leases),
  unconfirmed_time: moment(row.unconfirmed_time),
  settings: readSettings(row.settings),
});

function readSettings(text: string): Record<string, string> {
  const entries = Object.entries(parseJsonObject(text) ?? {}).slice(0, mostSettings);
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[cut(name), cut(value)]] : [])),
  );
}

/** Last second of the year 9999, the latest date that the console can show. */
const latestTime = 253_402_300_799;

const moment = (value: number): number => Math.min(figure(value), latestTime);

const cut = (text: string): string => text.slice(0, longestText);

const figure = (value: number): number => Math.min(Math.max(0, Math.trunc(value) || 0), Number.MAX_SAFE_INTEGER);
