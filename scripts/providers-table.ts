import { channelTypes } from '../packages/contract/src/index.ts';
import {
  type Ability,
  abilitiesOf,
  type Capability,
  capabilities,
  leniencyOf,
  providers,
} from '../packages/providers/src/index.ts';

const signs: Readonly<Record<Ability, string>> = { yes: '●', passed: '→', partly: '◐', no: '' };

const words: Readonly<Partial<Record<Capability, string>>> = {
  'images in': 'images in',
  images: 'images out',
  response_format: 'format',
};

/** Description of `packages/providers/src/model-parameters.ts`. */
const modelRules: readonly (readonly [models: string, dropped: string])[] = [
  ['Claude 4.7 and later', '`temperature`, `top_p`, `top_k`'],
  ['Claude 4.1 to 4.6', '`top_p` with a `temperature`; a `temperature` of 1 with `top_p`'],
  ['Claude with thinking', '`temperature` other than 1, `top_k`, `top_p` below 0.95'],
  ['Claude', 'stop sequences that are only whitespace'],
  [
    'OpenAI o-series, GPT-5, later reasoning models',
    '`temperature`, `top_p`, penalties, `logit_bias` other than the default',
  ],
  ['OpenAI o3, o4-mini, GPT-5 and 5.x', '`stop`'],
  ['Grok 3 mini, Grok 4 and later', 'penalties, `stop`'],
  ['Gemini 2.5 and later, in other dialects than Gemini’s', 'penalties'],
  ['Kimi K2.5 and later at Moonshot', '`temperature`, `top_p`, penalties'],
];

/** Page of what each channel type supports, generated from the providers. */
export function providersPage(): string {
  const rows = channelTypes
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, name }) => line([String(id), name, ...abilitySigns(id)]));
  return [
    '# Providers',
    '',
    '<!-- Written by `npm run providers-doc`; a test compares it with the providers. -->',
    '',
    'What each channel type supports. ● supported · → passed on unchanged, so it depends on the model · ◐ with some keys,',
    'settings or models (for audio: speech or transcription only) · empty: the relay returns 400 and names what is missing.',
    'A client that requests a stream from a type without streaming gets the response in one piece.',
    '',
    line(['Id', 'Type', ...capabilities.map((name) => words[name] ?? name)]),
    line(['--:', '---', ...capabilities.map(() => ':-:')]),
    ...rows,
    '',
    '## Dropped parameters',
    '',
    'Sampling hints never cause a rejection. Where a channel type does not support one, or does not with some',
    'of its models, it is dropped; a number out of range is clamped. Both are listed in the',
    'response header `x-headgate-ignored`. Fields that change the meaning of a response (tools, images, `n`) are rejected. A',
    '`response_format` that the vendor, or some of its models, does not accept becomes an instruction in the prompt that',
    'contains the schema; it is listed as `response_format.json_schema` or `response_format.json_object`.',
    '',
    line(['Id', 'Type', 'dropped', 'clamped to', 'format as an instruction']),
    line(['--:', '---', '---', '---', '---']),
    ...leniencyRows(),
    '',
    'The fallback models of OpenRouter and the memory of an Ollama (`num_ctx`, `keep_alive`, which a channel’s `config` may',
    'set) can only be set by an admin, and are dropped as well.',
    '',
    '## Parameters by model',
    '',
    'Some models return 400 for parameters that others accept. These are dropped and listed in `x-headgate-ignored`, for every',
    'channel type and dialect, even where the request is otherwise passed on unchanged.',
    '',
    line(['Models', 'dropped']),
    line(['---', '---']),
    ...modelRules.map((cells) => line(cells)),
    '',
    `Channels of type ${proxyNames()} pass whole requests to their base URL and have no endpoints.`,
    '',
  ].join('\n');
}

function abilitySigns(id: keyof typeof providers): readonly string[] {
  const abilities = abilitiesOf(providers[id]);
  return capabilities.map((name) => signs[abilities[name]]);
}

/** Hints about an upstream's memory and about tools of other providers: every type drops them. */
const leftOutByAll = new Set(['num_ctx', 'keep_alive', 'server_tools']);

function leniencyRows(): readonly string[] {
  return channelTypes
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ id, name }) => {
      const { leftOut, ranges, instructed } = leniencyOf(providers[id]);
      const hints = leftOut.filter((hint) => !leftOutByAll.has(hint)).map((hint) => `\`${hint}\``);
      const bounds = Object.entries(ranges).map(([hint, [least, most]]) => boundsOf(hint, least, most));
      const formats = instructed.map((type) => `\`${type}\``);
      const cells = [hints, bounds, formats].map((names) => names.join(', '));
      return cells.every((cell) => cell === '') ? [] : [line([String(id), name, ...cells])];
    });
}

const boundsOf = (hint: string, least: number, most: number) =>
  Number.isFinite(most) ? `\`${hint}\` ${least} to ${most}` : `\`${hint}\` from ${least} on`;

const proxyNames = () =>
  channelTypes
    .filter(({ id }) => providers[id].isProxy)
    .map(({ id, name }) => `${id} (${name})`)
    .join(', ');

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
