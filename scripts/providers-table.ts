import { channelTypes } from '../packages/contract/src/index.ts';
import {
  type Capability,
  capabilities,
  droppedFields,
  providers,
  type SupportLevel,
  supportLevels,
} from '../packages/providers/src/index.ts';

const signs: Readonly<Record<SupportLevel, string>> = { yes: '●', passed: '→', partly: '◐', no: '' };

const labels: Readonly<Partial<Record<Capability, string>>> = {
  'images in': 'image input',
  response_format: 'format',
};

/** Description of `packages/providers/src/model-parameters.ts`. */
const modelRules: readonly (readonly [models: string, dropped: string])[] = [
  ['Claude 4.7 and later', '`temperature`, `top_p`, `top_k`'],
  ['Claude 4.1 to 4.6', '`top_p` if `temperature` is set; a `temperature` of 1 if `top_p` is set'],
  ['Claude with thinking', '`temperature` other than 1, `top_k`, `top_p` below 0.95'],
  ['Claude', 'stop sequences that contain only white space'],
  [
    'OpenAI o-series, GPT-5, later reasoning models',
    '`temperature`, `top_p`, penalties, `logit_bias` other than the default',
  ],
  ['OpenAI o3, o4-mini, GPT-5 and 5.x', '`stop`'],
  ['Grok 3 mini, Grok 4 and later', 'penalties, `stop`'],
  ['Gemini 2.5 and later, in dialects other than Gemini’s', 'penalties'],
  ['Kimi K2.5 and later at Moonshot', '`temperature`, `top_p`, penalties'],
];

/** Documentation page with the features of each channel type, generated from the providers. */
export function providersPage(): string {
  const rows = channelTypes
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, name }) => line([String(id), name, ...abilitySigns(id)]));
  return [
    '# Providers',
    '',
    '<!-- Written by `npm run providers-doc`; a test compares it with the providers. -->',
    '',
    'Use this page to see what each channel type supports. [Provider setup](provider-setup.md) has the fields of each type.',
    '',
    '● supported · → passed through unchanged, support depends on the model · ◐ with some keys, settings or models (for audio: speech',
    'or transcription only) · empty: not supported, the relay returns 400 and names the field. If a type cannot stream, a request for a',
    'stream gets the whole response as one chunk. *Google PaLM2* is retired by Google: requests return 410 `model_retired`.',
    '',
    line(['Id', 'Type', ...capabilities.map((name) => labels[name] ?? name)]),
    line(['--:', '---', ...capabilities.map(() => ':-:')]),
    ...rows,
    '',
    '## Dropped and limited fields',
    '',
    'Sampling fields that a channel type, or some of its models, does not support are dropped, and numbers outside of the supported',
    'range are moved to the nearest limit. The response header `x-headgate-ignored` lists both. Fields that change the result (tools,',
    'images, `n`) are rejected instead. A `response_format` that the provider or model does not support becomes an instruction in the',
    'prompt that contains the schema, listed as `response_format.json_schema` or `response_format.json_object`.',
    '',
    line(['Id', 'Type', 'Dropped', 'Limited to', 'Format as an instruction']),
    line(['--:', '---', '---', '---', '---']),
    ...leniencyRows(),
    '',
    'Fallback models of OpenRouter, and `num_ctx` and `keep_alive` of Ollama, are dropped too: the channel’s `config` sets them.',
    '',
    '## Parameters by model',
    '',
    'Some models return 400 for parameters that others accept. The relay drops these on every channel type and in every dialect, also',
    'where the request is passed through otherwise, and lists them in `x-headgate-ignored`.',
    '',
    line(['Models', 'Dropped']),
    line(['---', '---']),
    ...modelRules.map((cells) => line(cells)),
    '',
    `Channels of type ${proxyNames()} pass whole requests through and have no endpoints of their own.`,
    '',
  ].join('\n');
}

function abilitySigns(id: keyof typeof providers): readonly string[] {
  const abilities = supportLevels(providers[id]);
  return capabilities.map((name) => signs[abilities[name]]);
}

/** Fields for an upstream's own storage and for tools of other providers; every type drops them. */
const leftOutByAll = new Set(['num_ctx', 'keep_alive', 'server_tools']);

function leniencyRows(): readonly string[] {
  return channelTypes
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ id, name }) => {
      const { dropped, ranges, instructed } = droppedFields(providers[id]);
      const hints = dropped.filter((hint) => !leftOutByAll.has(hint)).map((hint) => `\`${hint}\``);
      const bounds = Object.entries(ranges).map(([hint, [min, max]]) => boundsOf(hint, min, max));
      const formats = instructed.map((type) => `\`${type}\``);
      const cells = [hints, bounds, formats].map((names) => names.join(', '));
      return cells.every((cell) => cell === '') ? [] : [line([String(id), name, ...cells])];
    });
}

const boundsOf = (hint: string, min: number, max: number) =>
  Number.isFinite(max) ? `\`${hint}\` ${min} to ${max}` : `\`${hint}\` at least ${min}`;

const proxyNames = () =>
  channelTypes
    .filter(({ id }) => providers[id].isProxy)
    .map(({ id, name }) => `${id} (${name})`)
    .join(', ');

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
