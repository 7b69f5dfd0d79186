import { type ChannelTypeId, channelStatus, splitCommas, withoutTrailingSlash } from '@headgate/contract';
import { isObject } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { objectOf, textOf, truncate } from '../source/source-values.ts';
import { type ImportedLimit, limitsOf } from './litellm-budgets.ts';
import { numericId } from './litellm-values.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads a variable of LiteLLM's environment; a missing one is reported. */
export type Environment = (variable: string) => string | undefined;

/** An entry of `model_list`, from the configuration file or the database. */
interface Deployment {
  readonly modelName: string;
  readonly parameters: Json;
  readonly info: Json;
  readonly isBlocked: boolean;
}

interface LitellmChannels {
  /** Rows in the form of a One API channel. */
  readonly rows: readonly SourceRow[];
  readonly limits: readonly ImportedLimit[];
}

export function deploymentsOf(config: unknown, models: readonly SourceRow[]): readonly Deployment[] {
  const list = isObject(config) && Array.isArray(config['model_list']) ? config['model_list'] : [];
  const fromFile = list.filter(isObject).map((entry) => ({
    modelName: String(entry['model_name'] ?? ''),
    parameters: isObject(entry['litellm_params']) ? entry['litellm_params'] : {},
    info: isObject(entry['model_info']) ? entry['model_info'] : {},
    isBlocked: false,
  }));
  const stored = models.map((row) => ({
    modelName: textOf(row, 'model_name'),
    parameters: objectOf(row, 'litellm_params') ?? {},
    info: objectOf(row, 'model_info') ?? {},
    isBlocked: row['blocked'] === true,
  }));
  return [...fromFile, ...stored];
}

/** Model names by LiteLLM's access groups. */
export function accessGroupsOf(deployments: readonly Deployment[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { modelName, info } of deployments) {
    const named = Array.isArray(info['access_groups']) ? info['access_groups'] : [];
    for (const group of named) groups.set(String(group), [...(groups.get(String(group)) ?? []), modelName]);
  }
  return groups;
}

/** Deployments with the same account become one channel with several models, unless they have separate limits. */
export function channelsOf(
  deployments: readonly Deployment[],
  groups: string,
  environment: Environment,
): LitellmChannels {
  const accounts = new Map<string, { readonly first: Read; readonly models: Map<string, string> }>();
  for (const deployment of deployments) {
    const read = readDeployment(deployment, environment);
    for (let number = 0; ; number += 1) {
      const id = number === 0 ? read.account : `${read.account}\n${number}`;
      const account = accounts.get(id) ?? { first: read, models: new Map<string, string>() };
      if (account.models.has(deployment.modelName)) continue;
      account.models.set(deployment.modelName, read.name);
      accounts.set(id, account);
      break;
    }
  }
  const channels = [...accounts].map(([account, { first, models }]) => ({ id: numericId(account), first, models }));
  return {
    rows: channels.map(({ id, first, models }) => channelRow(id, first, models, groups)),
    limits: channels.flatMap(({ id, first }) =>
      limitsOf(
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
  /** Equal for deployments that can share a channel. */
  readonly account: string;
}

/** A value of the configuration. `variable` is the environment variable that it is read from. */
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

/** Providers whose servers often have no key. */
const keyless: ReadonlySet<string> = new Set(['ollama', 'ollama_chat', 'hosted_vllm']);

/** Without a key in the configuration, LiteLLM reads the provider's usual variable. */
function usualKey(provider: string): string {
  const variable = litellmProvider(provider)?.keyVariable ?? `${provider.toUpperCase()}_API_KEY`;
  return keyless.has(provider) ? 'none' : `${environmentMark}${variable}`;
}

const textIn = (parameters: Json, name: string): string => String(parameters[name] ?? '');

function readDeployment({ modelName, parameters, isBlocked }: Deployment, environment: Environment): Read {
  const { provider, name } = providerOf(textIn(parameters, 'model'), textIn(parameters, 'custom_llm_provider'));
  const key = settingOf(parameters['api_key'] ?? usualKey(provider), environment);
  const base = settingOf(parameters['api_base'], environment);
  const version = settingOf(parameters['api_version'], environment);
  const read = { name, provider, parameters, key, base, version, isBlocked };
  const title = truncate(`${provider || 'model'} ${modelName}`, 100);
  return { ...read, title, account: accountOf(read, modelName) };
}

function accountOf(
  { name, provider, parameters, ...settings }: Omit<Read, 'title' | 'account'>,
  model: string,
): string {
  const hasLimit = parameters['rpm'] !== undefined || parameters['tpm'] !== undefined;
  const isApart = hasLimit || name.includes('*') || !litellmProvider(provider);
  return [
    ...[provider, sourceOf(settings.key), sourceOf(settings.base), sourceOf(settings.version)],
    ...[textIn(parameters, 'order'), textIn(parameters, 'weight'), String(settings.isBlocked)],
    ...(isApart ? [model, name] : []),
  ].join('\n');
}

/** The same in every run, whether the variable is set or not. */
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

const channelNotes = ({ key, isBlocked, parameters }: Read): readonly string[] => [
  ...(key.isMissing
    ? [`is disabled until its key is set: ${key.variable} is not in the environment of this command`]
    : []),
  ...(isBlocked ? ['is disabled because it is blocked in LiteLLM'] : []),
  ...lostParameters(parameters),
];

/** Why a deployment cannot become a channel; empty if it can. */
function faultOf({ provider, parameters, base, version }: Read, models: ReadonlyMap<string, string>): string {
  if (/^[\w-]{40,}={0,2}$/.test(String(parameters['model'] ?? '')) && provider === '')
    return 'is encrypted with the salt key of LiteLLM: add it to a config.yaml, or create the channel manually';
  if (!litellmProvider(provider)) return `has provider ${provider || 'unknown'}, which is not supported here`;
  if ([...models].flat().some((name) => name.includes('*')))
    return 'has a wildcard: create a channel with the list of its models';
  const missing = [base, version].find(({ isMissing }) => isMissing);
  return missing ? `needs ${missing.variable}, which is not in the environment of this command` : '';
}

/** A base URL here has no version at its end. */
const baseUrlOf = (address: string): string => withoutTrailingSlash(address).replace(/\/v1$/, '');

const ownPrices = ['input_cost_per_token', 'output_cost_per_token'];

function lostParameters(parameters: Json): readonly string[] {
  return ownPrices.some((name) => parameters[name] !== undefined)
    ? ['loses its own prices: set them under Prices']
    : [];
}

interface LitellmProvider {
  readonly type: ChannelTypeId;
  /** LiteLLM's default base URL, if ours differs. */
  readonly baseUrl?: string;
  /** Environment variable with the key, if it is not `<PROVIDER>_API_KEY`. */
  readonly keyVariable?: string;
}

const custom = 8;

/** Our channel types by the provider prefix of LiteLLM's model names. */
const providers: Readonly<Record<string, LitellmProvider>> = {
  openai: { type: 1 },
  'text-completion-openai': { type: 1, keyVariable: 'OPENAI_API_KEY' },
  azure: { type: 3 },
  anthropic: { type: 14 },
  dashscope: { type: 17 },
  openrouter: { type: 20 },
  gemini: { type: 24 },
  moonshot: { type: 25 },
  minimax: { type: 27 },
  mistral: { type: 28 },
  groq: { type: 29 },
  ollama: { type: 30 },
  ollama_chat: { type: 30 },
  cohere: { type: 35 },
  cohere_chat: { type: 35, keyVariable: 'COHERE_API_KEY' },
  deepseek: { type: 36 },
  together_ai: { type: 39, keyVariable: 'TOGETHERAI_API_KEY' },
  volcengine: { type: 40 },
  novita: { type: 41 },
  xai: { type: 45 },
  zai: { type: 16 },
  hosted_vllm: { type: custom },
  openai_like: { type: custom },
  custom_openai: { type: custom },
  litellm_proxy: { type: custom },
  fireworks_ai: { type: custom, baseUrl: 'https://api.fireworks.ai/inference' },
  cerebras: { type: custom, baseUrl: 'https://api.cerebras.ai' },
  nvidia_nim: { type: custom, baseUrl: 'https://integrate.api.nvidia.com' },
};

/** Undefined if the provider is not supported here. */
const litellmProvider = (name: string): LitellmProvider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

/** Model names without a provider prefix that LiteLLM recognizes. */
const knownNames: readonly (readonly [RegExp, string])[] = [
  [/^(gpt|o\d|chatgpt|text-|dall-e|whisper|tts)/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'gemini'],
  [/^(mistral|codestral)/, 'mistral'],
  [/^command/, 'cohere'],
];

/** Provider and the provider's name of a model such as `azure/my-deployment`. */
export function providerOf(model: string, given: string): { readonly provider: string; readonly name: string } {
  const slash = model.indexOf('/');
  const first = slash < 0 ? '' : model.slice(0, slash);
  if (given !== '') return { provider: given, name: first === given ? model.slice(slash + 1) : model };
  if (slash > 0) return { provider: first, name: model.slice(slash + 1) };
  return { provider: knownNames.find(([pattern]) => pattern.test(model))?.[1] ?? '', name: model };
}
