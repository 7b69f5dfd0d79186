import { channelStatus, splitCommas, stripTrailingSlash } from '@headgate/contract';
import { isObject } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { truncate } from '../source/source-values.ts';
import { type ImportedLimit, toLimits } from './litellm-budgets.ts';
import type { Deployment, Json } from './litellm-deployments.ts';
import { detectProvider, litellmProvider } from './litellm-providers.ts';
import { numericId } from './litellm-values.ts';

/** Reads an environment variable of LiteLLM; missing variables are reported. */
export type Environment = (variable: string) => string | undefined;

interface LitellmChannels {
  /** Rows in the format of a One API channel. */
  readonly rows: readonly SourceRow[];
  readonly limits: readonly ImportedLimit[];
}

/** Deployments with the same account become one channel with several models, unless they have separate limits. */
export function toChannels(
  deployments: readonly Deployment[],
  groups: string,
  environment: Environment,
): LitellmChannels {
  const accounts = new Map<string, { readonly first: Read; readonly models: Map<string, string> }>();
  // Counted instead of listed, so that a model with many identical deployments takes linear time.
  const used = new Map<string, number>();
  for (const deployment of deployments) {
    const read = readDeployment(deployment, environment);
    const usedKey = `${read.account}\n${deployment.modelName}`;
    for (let number = used.get(usedKey) ?? 0; ; number += 1) {
      const id = number === 0 ? read.account : `${read.account}\n${number}`;
      const account = accounts.get(id) ?? { first: read, models: new Map<string, string>() };
      if (account.models.has(deployment.modelName)) continue;
      account.models.set(deployment.modelName, read.name);
      accounts.set(id, account);
      used.set(usedKey, number + 1);
      break;
    }
  }
  const channels = [...accounts].map(([account, { first, models }]) => ({ id: numericId(account), first, models }));
  return {
    rows: channels.map(({ id, first, models }) => channelRow(id, first, models, groups)),
    limits: channels.flatMap(({ id, first }) =>
      toLimits(
        { rpm_limit: first.parameters['rpm'], tpm_limit: first.parameters['tpm'] },
        { owner: { kind: 'channel', sourceId: id }, sourceId: `channel:${id}`, label: first.title },
      ),
    ),
  };
}

interface Read {
  readonly title: string;
  readonly name: string;
  readonly provider: string;
  readonly parameters: Json;
  readonly key: Setting;
  readonly base: Setting;
  readonly version: Setting;
  readonly isBlocked: boolean;
  readonly fault: string;
  /** Positions of missing variables, for the report. */
  readonly missing: string;
  /** Key that is equal for deployments that can share a channel. */
  readonly account: string;
}

/** A value of the configuration. `variable` is the environment variable from which it is read. */
interface Setting {
  readonly value: string;
  readonly variable: string;
  readonly isMissing: boolean;
}

const environmentMark = 'os.environ/';

function settingOf(given: unknown, environment: Environment): Setting {
  const text = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  if (!text.startsWith(environmentMark)) return { value: text, variable: '', isMissing: false };
  const variable = text.slice(environmentMark.length);
  const value = environment(variable);
  return { value: value ?? '', variable, isMissing: value === undefined || value === '' };
}

/** The master key, with which LiteLLM encrypts if it has no salt key. */
export function readMasterKeys(config: unknown, environment: Environment): readonly string[] {
  const settings = isObject(config) ? config['general_settings'] : undefined;
  const { value } = settingOf(isObject(settings) ? settings['master_key'] : undefined, environment);
  return value === '' ? [] : [value];
}

/** Providers whose servers often require no key. */
const keyless: ReadonlySet<string> = new Set(['ollama', 'ollama_chat', 'hosted_vllm']);

/** If the configuration has no key, LiteLLM reads it from the provider's usual environment variable. */
function usualKey(provider: string): string {
  const variable = litellmProvider(provider)?.keyVariable ?? `${provider.toUpperCase()}_API_KEY`;
  return keyless.has(provider) ? 'none' : `${environmentMark}${variable}`;
}

const textIn = (parameters: Json, name: string): string => String(parameters[name] ?? '');

const noEnvironment: Environment = () => undefined;
const notInEnvironment = 'is not in the environment of this command';
const notRead = 'is only read for entries of config.yaml and encrypted models';

function readDeployment({ modelName, parameters, ...given }: Deployment, around: Environment): Read {
  const { isBlocked, fault, mayReadEnvironment } = given;
  const environment = mayReadEnvironment ? around : noEnvironment;
  const { provider, name } = detectProvider(textIn(parameters, 'model'), textIn(parameters, 'custom_llm_provider'));
  const key = settingOf(parameters['api_key'] ?? usualKey(provider), environment);
  const base = settingOf(parameters['api_base'], environment);
  const version = settingOf(parameters['api_version'], environment);
  const missing = mayReadEnvironment ? notInEnvironment : notRead;
  const read = { name, provider, parameters, key, base, version, isBlocked, fault, missing };
  const title = truncate(`${provider || 'model'} ${modelName}`, 100);
  return { ...read, title, account: accountOf(read, modelName) };
}

function accountOf(
  { name, provider, parameters, ...settings }: Omit<Read, 'title' | 'account'>,
  model: string,
): string {
  const hasLimit = parameters['rpm'] !== undefined || parameters['tpm'] !== undefined;
  const isApart = hasLimit || name.includes('*') || !litellmProvider(provider) || settings.fault !== '';
  return [
    ...[provider, sourceOf(settings.key), sourceOf(settings.base), sourceOf(settings.version)],
    ...[textIn(parameters, 'order'), textIn(parameters, 'weight'), String(settings.isBlocked)],
    ...(isApart ? [model, name] : []),
  ].join('\n');
}

/** The same in every run, whether or not the variable is set. */
const sourceOf = ({ variable, value }: Setting): string => variable || value;

function channelRow(id: number, read: Read, models: ReadonlyMap<string, string>, groups: string): SourceRow {
  const { provider, parameters, key, base, version, isBlocked, title } = read;
  const known = litellmProvider(provider);
  const mapping = [...models].filter(([given, name]) => given !== name);
  return {
    id,
    label: id.toString(16).slice(0, 8),
    type: known?.type ?? 0,
    name: title,
    key: key.isMissing ? `${environmentMark}${key.variable}` : key.value,
    base_url: baseUrlOf(base.value) || (known?.baseUrl ?? ''),
    other: version.value,
    models: [...models.keys()].flatMap(splitCommas).join(','),
    model_mapping: mapping.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapping)),
    group: groups,
    priority: -Number(parameters['order'] ?? 0) || 0,
    weight: Number(parameters['weight'] ?? 0) || 0,
    status: key.isMissing || isBlocked ? channelStatus.disabled : channelStatus.enabled,
    notes: channelNotes(read).join('\n'),
    fault: faultOf(read, models),
  };
}

const channelNotes = ({ key, isBlocked, parameters, missing }: Read): readonly string[] => [
  ...(key.isMissing ? [`is disabled until its key is set: ${key.variable} ${missing}`] : []),
  ...(isBlocked ? ['is disabled because it is blocked in LiteLLM'] : []),
  ...lostParameters(parameters),
];

/** Reason why a deployment cannot become a channel; empty if it can. */
function faultOf({ fault, provider, base, version, missing }: Read, models: ReadonlyMap<string, string>): string {
  if (fault !== '') return fault;
  if (!litellmProvider(provider)) return `has provider ${provider || 'unknown'}, which is not supported here`;
  if ([...models].flat().some((name) => name.includes('*')))
    return 'has a wildcard: create a channel with the list of its models';
  const absent = [base, version].find(({ isMissing }) => isMissing);
  return absent ? `needs ${absent.variable}, which ${missing}` : '';
}

/** In this gateway, base URLs do not end with a version. */
const baseUrlOf = (address: string): string => stripTrailingSlash(address).replace(/\/v1$/, '');

const ownPrices = ['input_cost_per_token', 'output_cost_per_token'];

function lostParameters(parameters: Json): readonly string[] {
  return ownPrices.some((name) => parameters[name] !== undefined)
    ? ['loses its own prices: set them under Prices']
    : [];
}
