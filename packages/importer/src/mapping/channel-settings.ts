import { withoutTrailingSlash } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { cut, objectOf, textOf } from '../source/source-values.ts';
import type { TargetChannel } from '../target.ts';
import type { Counterpart } from './channel-type-names.ts';
import type { Staying } from './outcome.ts';

type Settings = Pick<TargetChannel, 'base_url' | 'other' | 'model_mapping' | 'system_prompt'>;
type KeyFields = Pick<TargetChannel, 'key' | 'config'>;

export interface ChannelSettings {
  readonly fields: Settings;
  /** It answers nothing there either. */
  readonly isBroken: boolean;
  keyOf(key: string): KeyFields | Staying;
}

interface Way {
  readonly typeName: string;
  readonly counterpart: Counterpart;
  readonly changes: string[];
}

/** How a channel is spoken to. */
export function settingsOf(row: SourceRow, way: Way): ChannelSettings | Staying {
  const { changes } = way;
  const address = addressOf(row, way);
  if (typeof address !== 'string') return address;
  const mapping = mappingOf(row, changes);
  const config = configOf(row, changes);
  const { api_version, library_id, plugin, ...rest } = config;
  for (const [column, name] of Object.entries(notHere)) {
    if (!isBlank(textOf(row, column))) changes.push(`loses its ${name}, which channels do not have here`);
  }
  const other = textOf(row, 'other').trim() || api_version || library_id || plugin || '';
  const isVertex = way.typeName === 'Vertex AI';
  return {
    fields: {
      base_url: address,
      other: isVertex ? '' : other,
      model_mapping: mapping ?? '',
      system_prompt: systemPromptOf(row, changes),
    },
    isBroken: mapping === undefined,
    keyOf: (key) => (isVertex && key.startsWith('{') ? vertexKey(key, other) : { key, config: rest }),
  };
}

/** What channels of new-api have beyond ours. */
const notHere = {
  param_override: 'parameter override',
  header_override: 'header override',
  status_code_mapping: 'status code mapping',
  open_ai_organization: 'organization',
} as const;

const isBlank = (text: string): boolean => ['', '{}', '[]', 'null'].includes(text.trim());

const chatPath = '/v1/chat/completions';

function addressOf(row: SourceRow, { typeName, counterpart, changes }: Way): string | Staying {
  const given = withoutTrailingSlash(textOf(row, 'base_url').trim());
  if (given === '') return counterpart.baseUrl ?? '';
  if (typeName !== 'Custom with a whole address') return given;
  // Of the address no more than its host: the rest may hold a key.
  if (!given.endsWith(chatPath))
    return {
      reason: `asks a whole address at ${hostOf(given)}: here a channel has the beginning of its addresses, so add it by hand`,
    };
  changes.push(`asks everything below its address, not ${chatPath} alone`);
  return given.slice(0, -chatPath.length);
}

const hostOf = (address: string): string => JSON.stringify(cut(URL.parse(address)?.host ?? 'no host', 100));

/** Undefined for one that cannot be read: there every request fails that meets it. */
function mappingOf(row: SourceRow, changes: string[]): string | undefined {
  const mapping = objectOf(row, 'model_mapping');
  if (mapping && Object.values(mapping).every((name) => typeof name === 'string')) {
    return Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping);
  }
  changes.push('is disabled, as its model mapping cannot be read, and loses that');
  return undefined;
}

function configOf(row: SourceRow, changes: string[]): TargetChannel['config'] {
  const config = objectOf(row, 'config');
  if (!config) changes.push('loses its config, which cannot be read');
  const texts = Object.entries(config ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(texts);
}

/** Where new-api keeps it there are settings beside it that ours do not have. */
function systemPromptOf(row: SourceRow, changes: string[]): string {
  const { system_prompt: beside, proxy } = objectOf(row, 'setting') ?? {};
  if (typeof proxy === 'string' && proxy !== '') changes.push('loses its proxy, which channels do not have here');
  return textOf(row, 'system_prompt') || (typeof beside === 'string' ? beside : '');
}

/** There the key is the document alone, and its region stands elsewhere. */
function vertexKey(key: string, other: string): KeyFields | Staying {
  const document = objectOf({ key }, 'key');
  const project = document?.['project_id'];
  const regions = other.startsWith('{') ? objectOf({ other }, 'other') : { default: other };
  const region = regions?.['default'];
  if (typeof project !== 'string' || typeof region !== 'string' || region === '') {
    return { reason: 'has no project or no region' };
  }
  return {
    key: [region, project, key].join('|'),
    config: { region, vertex_ai_project_id: project, vertex_ai_adc: key },
  };
}
