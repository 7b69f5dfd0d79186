import { providers } from '@headgate/providers';
import type { Config } from '../../config.ts';
import { checkReachable, listenError, type Reachability } from '../../platform/outgoing/reachability.ts';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import { clockFinding } from './database-check.ts';
import type { ChannelAddress } from './doctor-repository.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const patienceMs = 5000;
/** Maximum number of addresses to check; the others are likely to give the same result. */
const maxAddresses = 40;
/** The Date header has a resolution of a second, plus the network delay. */
const roughSeconds = 10;

/** Checks whether the port is free or used by a gateway. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('port', 'any free port');
  const reason = await listenError(host, port);
  if (reason === undefined) return ok('port', `${port} on ${host} is free`);
  if (reason !== 'EADDRINUSE')
    return fail('port', `Cannot listen on ${host}:${port} (${reason}).`, 'Check HOST and PORT.');
  const isHeadgate = await isGateway(host, port);
  return isHeadgate
    ? ok('port', `used by a gateway (${port} on ${host})`)
    : fail('port', `Port ${port} on ${host} is used by another program.`, 'Stop it, or set PORT to another port.');
}

async function isGateway(host: string, port: number): Promise<boolean> {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  const at = everywhere[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const { json } = await requestJson(`http://${at}:${port}/healthz`);
    return (json as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}

/** Checks that the addresses of enabled channels respond and that the clocks agree. Sends no key. */
export async function checkChannels(channels: readonly ChannelAddress[]): Promise<readonly Finding[]> {
  const places = addressesOf(channels);
  if (places.size === 0) return [ok('channels', 'no enabled channel has an address')];
  const asked = [...places].slice(0, maxAddresses);
  const answers = await Promise.all(
    asked.map(async ([origin, ids]) => ({ origin, ids, reached: await checkReachable(origin, patienceMs) })),
  );
  const silent = answers.filter(({ reached }) => reached.status === undefined);
  const left = places.size - asked.length;
  const count = `${answers.length - silent.length} of ${asked.length} addresses of enabled channels respond${left === 0 ? '' : `; ${left} more not checked`}`;
  if (silent.length === 0) return [ok('channels', count), ...clockOf(answers.map(({ reached }) => reached))];
  const names = silent.map(({ origin, ids, reached }) => `${origin} (${channelsOf(ids)}): ${reached.reason}`);
  const todo = 'Check DNS, the firewall and the base URLs of these channels.';
  const judge = silent.length === asked.length ? fail : warn;
  return [judge('channels', `${count}. ${names.join('; ')}.`, todo), ...clockOf(answers.map(({ reached }) => reached))];
}

/** Groups channels by address. */
function addressesOf(channels: readonly ChannelAddress[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const { id, type, base_url } of channels) {
    const address = base_url === '' ? (providers[type as keyof typeof providers]?.baseUrl ?? '') : base_url;
    // Only the origin, which contains no path and no secret.
    const origin = URL.parse(address)?.origin;
    if (origin === undefined || origin === 'null') continue;
    places.set(origin, [...(places.get(origin) ?? []), id]);
  }
  return places;
}

const channelsOf = (ids: readonly number[]): string =>
  `channel ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;

/** Compares the clock with the median of the responses: some providers reject requests signed at another time. */
function clockOf(reached: readonly Reachability[]): readonly Finding[] {
  const ahead = reached.flatMap(({ time }) => (time === undefined ? [] : [(time - Date.now()) / 1000]));
  const middle = ahead.toSorted((one, other) => one - other)[Math.floor(ahead.length / 2)];
  if (middle === undefined || Math.abs(middle) < roughSeconds) return [];
  return [clockFinding(middle, 'the providers')];
}
