import { readFileSync } from 'node:fs';
import { providers } from '@headgate/providers';
import type { Config, InspectedEnvironment } from '../../config.ts';
import { startFailureMessage } from '../../platform/errors/start-failure.ts';
import { checkReachable, listenError, type Reachability } from '../../platform/outgoing/reachability.ts';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import { loadConfiguredFile } from '../../settings/config-file-commands.ts';
import { closestMatch } from './closest-match.ts';
import { checkDatabase, clockFinding, type Finding, type FindingState, fail, ok, warn } from './database-check.ts';
import { checkDisk } from './disk-check.ts';
import type { ChannelAddress } from './doctor-repository.ts';

interface DoctorReport {
  readonly state: FindingState;
  readonly findings: readonly Finding[];
}

/** Checks everything a gateway needs, running or not. Changes nothing. */
export async function runChecks(settings: InspectedEnvironment): Promise<DoctorReport> {
  const findings = [...checkSettings(settings), ...checkProcess(), ...(await checkRest(settings))];
  const worst = (['fail', 'warn'] as const).find((state) => findings.some((finding) => finding.state === state));
  return { state: worst ?? 'ok', findings };
}

/** Runs the checks that need valid settings. */
async function checkRest({ config }: InspectedEnvironment): Promise<readonly Finding[]> {
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
    `${finding.state.padEnd(4)}  ${finding.check.padEnd(width)}  ${finding.message}`,
    ...(finding.action === undefined ? [] : [`${' '.repeat(width + 8)}→ ${finding.action}`]),
  ]);
  return `${[...lines, '', summaries[state]].join('\n')}\n`;
}

const summaries: Readonly<Record<FindingState, string>> = {
  ok: 'No problems found.',
  warn: 'The gateway can serve requests, with warnings.',
  fail: 'Problems found. Fix them before you start the gateway.',
};

const check = 'configuration file';

/** Validates the file of CONFIG_FILE as a start does. */
function checkConfigFile(config: Config): readonly Finding[] {
  try {
    return loadConfiguredFile(config) ? [ok(check, `${config.configFile} is valid`)] : [];
  } catch (error) {
    return [fail(check, startFailureMessage(error), 'Correct the file, or unset CONFIG_FILE.')];
  }
}

/** Below this limit a warning is shown: each client and each upstream connection uses a file descriptor. */
const fewFiles = 4096;

/** Node version and limit of open files and connections. */
function checkProcess(): readonly Finding[] {
  const node = ok('node', process.versions.node);
  const max = maxOpenFiles();
  return max === undefined ? [node] : [node, openFilesFinding(max)];
}

export function openFilesFinding(max: number): Finding {
  const message = `limit ${max === Number.POSITIVE_INFINITY ? 'unlimited' : max}`;
  if (max >= fewFiles) return ok('open files', message);
  return warn('open files', `${message}.`, 'Raise the limit: LimitNOFILE= in systemd, ulimit -n in a shell.');
}

/** Undefined where /proc does not exist. */
function maxOpenFiles(): number | undefined {
  try {
    const [, most] = /^Max open files +(\d+|unlimited) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    if (most === undefined) return undefined;
    return most === 'unlimited' ? Number.POSITIVE_INFINITY : Number(most);
  } catch {
    return undefined;
  }
}

const patienceMs = 5000;
/** Maximum number of URLs checked; further ones are likely to give the same result. */
const maxAddresses = 40;
/** The Date header has a resolution of a second, plus the network delay. */
const roughSeconds = 10;

/** Checks whether the port is free or used by a gateway. */
async function checkPort({ host, port }: Config): Promise<Finding> {
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
async function checkChannels(channels: readonly ChannelAddress[]): Promise<readonly Finding[]> {
  const positions = addressesOf(channels);
  if (positions.size === 0) return [ok('channels', 'no enabled channel has an address')];
  const requested = [...positions].slice(0, maxAddresses);
  const responses = await Promise.all(
    requested.map(async ([origin, ids]) => ({ origin, ids, reached: await checkReachable(origin, patienceMs) })),
  );
  const silent = responses.filter(({ reached }) => reached.status === undefined);
  const left = positions.size - requested.length;
  const count = `${responses.length - silent.length} of ${requested.length} addresses of enabled channels respond${left === 0 ? '' : `; ${left} more not checked`}`;
  if (silent.length === 0) return [ok('channels', count), ...clockOf(responses.map(({ reached }) => reached))];
  const names = silent.map(({ origin, ids, reached }) => `${origin} (${channelsOf(ids)}): ${reached.reason}`);
  const action = 'Check DNS, the firewall and the base URLs of these channels.';
  const judge = silent.length === requested.length ? fail : warn;
  return [
    judge('channels', `${count}. ${names.join('; ')}.`, action),
    ...clockOf(responses.map(({ reached }) => reached)),
  ];
}

/** Groups channels by address. */
function addressesOf(channels: readonly ChannelAddress[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const { id, type, base_url } of channels) {
    const address = base_url === '' ? (providers[type as keyof typeof providers]?.baseUrl ?? '') : base_url;
    // Only the origin, which contains no path and no secret.
    const origin = URL.parse(address)?.origin;
    if (origin === undefined || origin === 'null') continue;
    positions.set(origin, [...(positions.get(origin) ?? []), id]);
  }
  return positions;
}

const channelsOf = (ids: readonly number[]): string =>
  `channel ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ` and ${ids.length - 5} more` : ''}`;

/** Compares the clock with the median of the Date headers, because some providers reject requests with a wrong time. */
function clockOf(reached: readonly Reachability[]): readonly Finding[] {
  const ahead = reached.flatMap(({ time }) => (time === undefined ? [] : [(time - Date.now()) / 1000]));
  const middle = ahead.toSorted((one, other) => one - other)[Math.floor(ahead.length / 2)];
  if (middle === undefined || Math.abs(middle) < roughSeconds) return [];
  return [clockFinding(middle, 'the providers')];
}

const checkSetting = 'settings';
const maxFindings = 20;
/** Other names are not printed: they may contain anything. */
const plainName = /^\w{1,64}$/;

/** Reports invalid settings, and names that look misspelled. Values are not printed. */
function checkSettings({ known, fromFile, fromEnvironment, faults }: InspectedEnvironment): readonly Finding[] {
  const found = [
    ...faults.map((fault) => fail(checkSetting, fault, 'Correct it, or unset it to use the default.')),
    ...fromFile.flatMap((name) => unknownName(name, known, true)),
    // The environment has many unrelated variables, so only likely typos are reported.
    ...fromEnvironment.filter((name) => !fromFile.includes(name)).flatMap((name) => unknownName(name, known, false)),
  ].slice(0, maxFindings);
  if (found.length > 0) return found;
  const set = known.filter((name) => fromEnvironment.includes(name));
  return [ok(checkSetting, set.length === 0 ? 'all defaults' : `set: ${set.join(', ')}`)];
}

function unknownName(name: string, known: readonly string[], isInFile: boolean): readonly Finding[] {
  if (known.includes(name) || !plainName.test(name)) return [];
  const meant = closestMatch(name, known);
  if (meant !== undefined) return [warn(checkSetting, `${name} is not a setting.`, `Did you mean ${meant}?`)];
  return isInFile
    ? [warn(checkSetting, `${name} in .env is not a setting of Headgate.`, 'Remove it or correct the name.')]
    : [];
}
