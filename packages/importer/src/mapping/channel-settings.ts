import { type ChannelFields, stripTrailingSlash } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { readJsonObject, readText, truncate } from '../source/source-values.ts';
import { convertOverrides, convertProxy } from './channel-overrides.ts';
import type { ChannelTypeMapping } from './channel-type-names.ts';
import type { SkippedRow } from './map-options.ts';

type Settings = Pick<ChannelFields, 'base_url' | 'other' | 'model_mapping' | 'system_prompt' | 'rules'>;
type KeyFields = Pick<ChannelFields, 'key' | 'config'>;

export interface ChannelSettings {
  readonly fields: Settings;
  /** True if the channel also fails in the source. */
  readonly isBroken: boolean;
  keyOf(key: string): KeyFields | SkippedRow;
}

interface SettingsContext {
  readonly typeName: string;
  readonly counterpart: ChannelTypeMapping;
  readonly changes: string[];
}

/** Connection settings of a channel. */
export function readChannelSettings(row: SourceRow, way: SettingsContext): ChannelSettings | SkippedRow {
  const { changes } = way;
  const address = addressOf(row, way);
  if (typeof address !== 'string') return address;
  const mapping = mappingOf(row, changes);
  const config = configOf(row, changes);
  const { api_version, library_id, plugin, ...rest } = config;
  const proxy = convertProxy(row, changes);
  if (!isBlank(readText(row, 'open_ai_organization')))
    changes.push('loses its organization, which is not supported here');
  const other = readText(row, 'other').trim() || api_version || library_id || plugin || '';
  const special = keyReaders[way.typeName];
  return {
    fields: {
      base_url: address,
      other: special?.usesOther ? '' : other,
      model_mapping: mapping ?? '',
      system_prompt: systemPromptOf(row),
      rules: convertOverrides(row, changes),
    },
    isBroken: mapping === undefined,
    keyOf: (key) => {
      const fields = special?.read(key, { other, config: rest, changes }) ?? { key, config: rest };
      return 'reason' in fields ? fields : { ...fields, config: { ...fields.config, ...proxy } };
    },
  };
}

interface KeyContext {
  /** Text of the source's `other` column. */
  readonly other: string;
  readonly config: ChannelFields['config'];
  readonly changes: string[];
}

interface KeyReader {
  /** True if `other` becomes a part of the key or the configuration. */
  readonly usesOther: boolean;
  /** Undefined if the key is used unchanged. */
  read(key: string, around: KeyContext): KeyFields | SkippedRow | undefined;
}

/** Types whose keys are stored differently here, by type name. */
const keyReaders: Readonly<Record<string, KeyReader>> = {
  'Vertex AI': {
    usesOther: true,
    read: (key, { other }) => (key.startsWith('{') ? vertexKey(key, other) : undefined),
  },
  'Cloudflare with the account in other': {
    usesOther: true,
    read: (key, { other, config }) =>
      other === '' ? { reason: 'has no Cloudflare account ID' } : { key, config: { ...config, user_id: other } },
  },
  // The key may have an application ID as a second part. Here, two parts mean version 1.
  'Baidu V2': {
    usesOther: false,
    read: (key, { config, changes }) => {
      const [token = '', application] = key.split('|').map((part) => part.trim());
      const loss = 'loses its application ID, which is not supported here';
      if (application !== undefined && !changes.includes(loss)) changes.push(loss);
      return { key: token, config };
    },
  },
};

const isBlank = (text: string): boolean => ['', '{}', '[]', 'null'].includes(text.trim());

const chatPath = '/v1/chat/completions';

function addressOf(row: SourceRow, { typeName, counterpart, changes }: SettingsContext): string | SkippedRow {
  const given = stripTrailingSlash(readText(row, 'base_url').trim());
  if (given === '') return counterpart.baseUrl ?? '';
  if (typeName !== 'Custom with a whole address') return given;
  // Shows only the host, because the rest of the URL may contain a key.
  if (!given.endsWith(chatPath))
    return {
      reason: `uses a full URL at ${hostOf(given)}, but a channel here needs a base URL: add it manually`,
    };
  changes.push(`uses its base URL for all endpoints, not only ${chatPath}`);
  return given.slice(0, -chatPath.length);
}

const hostOf = (address: string): string => JSON.stringify(truncate(URL.parse(address)?.host ?? 'no host', 100));

/** Undefined if the mapping is invalid; the source then fails every request of the channel. */
function mappingOf(row: SourceRow, changes: string[]): string | undefined {
  const mapping = readJsonObject(row, 'model_mapping');
  if (mapping && Object.values(mapping).every((name) => typeof name === 'string')) {
    return Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping);
  }
  changes.push('is disabled and loses its model mapping, which is not a JSON object of model names');
  return undefined;
}

function configOf(row: SourceRow, changes: string[]): ChannelFields['config'] {
  const config = readJsonObject(row, 'config');
  if (!config) changes.push('loses its config, which is not valid JSON');
  const texts = Object.entries(config ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** new-api stores the system prompt inside `setting`. */
function systemPromptOf(row: SourceRow): string {
  const { system_prompt: beside } = readJsonObject(row, 'setting') ?? {};
  return readText(row, 'system_prompt') || (typeof beside === 'string' ? beside : '');
}

/** In the source, the key is only the JSON document and the region is a separate setting. */
function vertexKey(key: string, other: string): KeyFields | SkippedRow {
  const document = readJsonObject({ key }, 'key');
  const project = document?.['project_id'];
  const regions = other.startsWith('{') ? readJsonObject({ other }, 'other') : { default: other };
  const region = regions?.['default'];
  if (typeof project !== 'string' || typeof region !== 'string' || region === '') {
    return { reason: 'has no project or no region' };
  }
  return {
    key: [region, project, key].join('|'),
    config: { region, vertex_ai_project_id: project, vertex_ai_adc: key },
  };
}
