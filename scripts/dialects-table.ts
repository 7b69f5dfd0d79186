import { channelTypes } from '../packages/contract/src/index.ts';
import {
  type ChatRequirement,
  type ConversationName,
  chatRequirements,
  dialects,
  enablesReasoning,
  RequestProblem,
  usedRequirements,
} from '../packages/dialects/src/index.ts';
import {
  passThroughLevel,
  providers,
  type SupportLevel,
  sampleUpstreams,
  supportLevels,
  translationLosses,
  type Upstream,
} from '../packages/providers/src/index.ts';
import { keyHeaders } from '../packages/server/src/relay/clients/read-api-key.ts';
import { dialectFeatures, minimalBodies, ownProviderOnly } from './dialect-features.ts';
import { rejectedValuesOf } from './rejected-values.ts';

const conversations = Object.keys(dialects) as readonly ConversationName[];

/** Title and other endpoints of each dialect; a server test requests every path. */
const described: Readonly<Record<ConversationName, { readonly title: string; readonly addresses: readonly string[] }>> =
  {
    chat: {
      title: 'OpenAI’s chat',
      addresses: ['POST /v1/chat/completions', 'GET /v1/models', 'GET /v1/models/{model}'],
    },
    responses: {
      title: 'OpenAI’s responses',
      addresses: [
        'POST /v1/responses',
        'POST /v1/responses/compact',
        'GET /v1/responses/{id}',
        'DELETE /v1/responses/{id}',
        'POST /v1/responses/{id}/cancel',
        'GET /v1/responses/{id}/input_items',
      ],
    },
    messages: {
      title: 'Anthropic’s messages',
      addresses: ['POST /v1/messages', 'POST /v1/messages/count_tokens', 'GET /v1/models', 'GET /v1/models/{model}'],
    },
    generateContent: {
      title: 'Gemini’s contents',
      addresses: [
        'POST /v1beta/models/{model}:generateContent',
        'POST /v1beta/models/{model}:streamGenerateContent',
        'POST /v1beta/models/{model}:countTokens',
        'POST /v1beta/models/{model}:embedContent',
        'POST /v1beta/models/{model}:batchEmbedContents',
        'GET /v1beta/models',
        'GET /v1beta/models/{model}',
      ],
    },
    ollamaChat: {
      title: 'Ollama’s chat',
      addresses: ['POST /api/chat', 'GET /api/tags', 'POST /api/show', 'POST /api/embed', 'GET /api/version'],
    },
    ollamaGenerate: { title: 'Ollama’s generate', addresses: ['POST /api/generate'] },
  };

/** Documentation page with the features and translations of each dialect, generated from the dialects and providers. */
export function dialectsPage(): string {
  const titles = conversations.map((name) => described[name].title);
  return [
    '# Dialects',
    '',
    '<!-- Written by `npm run dialects-doc`; a test compares it with the code. -->',
    '',
    'Use this page to see which API formats (“dialects”) clients can use, on which channel types a request is passed through or',
    'translated, and which fields are rejected or dropped on the way.',
    '',
    'Every channel type with chat serves all dialects. If the provider supports the client’s dialect, requests and responses are',
    'passed through unchanged; otherwise they are translated, streams included. *Proxy* channels have no dialect, and *Google PaLM2* is',
    'retired.',
    '',
    '## Endpoints',
    '',
    row(['Dialect', 'Endpoints']),
    row(['---', '---']),
    ...conversations.map(addressRow),
    '',
    `In every dialect the API token is read from the first of ${[...keyHeaders.map((name) => `\`${name}\``), '`?key=`'].join(', ')} that`,
    'is present. `GET /v1/models` uses Anthropic’s format if the request has the header `anthropic-version`. See',
    '[endpoints](endpoints.md) for the full list.',
    '',
    'Responses can be continued on every channel with `previous_response_id` and `item_reference`, and read, listed and deleted by',
    `id, by the user who created them. ${keepers()} store responses themselves; only the channel that has a response can`,
    'continue it. For all other channels the gateway stores responses, unless `store` is `false`, for the number of days set by',
    '`StoredResponseDays` ([settings](settings.md)); any channel can continue those. `POST /v1/responses/compact` works on channels that store',
    'responses, and is rejected on others. `/openai/v1` is an alias of `/v1`.',
    '',
    '## Passed through or translated',
    '',
    '● passed through · ◐ passed through with some keys, settings or models, otherwise translated · ⇄ translated',
    '',
    row(['Id', 'Type', ...titles]),
    row(['--:', '---', ...titles.map(() => ':-:')]),
    ...chattingTypes().map(({ id, name }) => row([String(id), name, ...passageSigns(id)])),
    '',
    '## Features by dialect',
    '',
    'Fields have their OpenAI names, as in error messages. ● supported · ○ dropped if the model does not support it · empty: the',
    'dialect has no such field.',
    '',
    row(['Field', ...titles]),
    row(['---', ...titles.map(() => ':-:')]),
    ...chatRequirements.map((demand) => row([`\`${demand}\``, ...conversations.map((name) => wishSign(name, demand))])),
    '',
    ...rejectedFieldsSection(),
  ].join('\n');
}

const rejectedFieldsSection = (): readonly string[] => [
  '## Rejected and dropped fields',
  '',
  'When a request is translated, a field that the provider does not support is rejected with 400 if dropping it would change the',
  'result; the error names the field. Fields that only influence style are dropped and listed in the response header',
  '`x-headgate-ignored`. Built-in tools of a provider (`server_tools`) are dropped if the request has other tools as well.',
  '',
  row(['Types', 'Rejected', 'Rejected with some models', 'Dropped']),
  row(['---', '---', '---', '---']),
  ...rejectedFieldRows(),
  '',
  '### Rejected values',
  '',
  'Some types support a field only with some values. For other values the relay tries the next channel, and returns 400 with the',
  'field if there is none.',
  '',
  row(['Types', 'Rejected']),
  row(['---', '---']),
  ...valueRows(),
  '',
  'Fields that refer to an account at the dialect’s own provider are rejected whenever a request is translated:',
  '',
  ...conversations.flatMap(ownProviderLine),
  '',
];

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const addressRow = (name: ConversationName) => row([described[name].title, code(described[name].addresses)]);

const chattingTypes = () =>
  channelTypes
    .filter(({ id }) => supportLevels(providers[id]).chat === 'yes')
    .toSorted((one, other) => one.id - other.id);

const keepers = () =>
  channelTypes
    .filter(({ id }) => sampleUpstreams(providers[id]).some((upstream) => keeps(id, upstream)))
    .map(({ name }) => name)
    .join(', ');

function keeps(id: keyof typeof providers, upstream: Upstream): boolean {
  const { responses } = providers[id];
  return (typeof responses === 'function' ? responses(upstream) : responses)?.storedResponse !== undefined;
}

const signs: Readonly<Record<SupportLevel, string>> = { yes: '●', passed: '●', partly: '◐', no: '⇄' };

const passageSigns = (id: keyof typeof providers) =>
  conversations.map((name) => signs[passThroughLevel(providers[id], name)]);

/** The dialect itself reads the requirement, so that the page lists only supported fields. */
function wishSign(name: ConversationName, demand: ChatRequirement): string {
  const request = dialectFeatures[name][demand];
  if (request === undefined) return '';
  const requested = dialects[name].readRequest({ ...minimalBodies[name], ...request }, {});
  if (usedRequirements(requested).includes(demand)) return '●';
  if (demand === 'reasoning_effort' && enablesReasoning(requested)) return '○';
  throw new Error(`${name} does not read ${demand}`);
}

/** Types with the same rejections and dropped fields share a row. */
function rejectedFieldRows(): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { id, name } of chattingTypes()) {
    const { rejected, sometimesRejected, leftOut } = translationLosses(providers[id]);
    const cells = [rejected, sometimesRejected, leftOut].map(code).join(' | ');
    named.set(cells, [...(named.get(cells) ?? []), name]);
  }
  return [...named].map(([cells, names]) => row([names.join(', '), cells]));
}

/** Types that reject the same values share a row. */
function valueRows(): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { id, name } of chattingTypes()) {
    const rejected = rejectedValuesOf(providers[id]).join(', ');
    if (rejected !== '') named.set(rejected, [...(named.get(rejected) ?? []), name]);
  }
  return [...named].map(([rejected, names]) => row([names.join(', '), rejected]));
}

function ownProviderLine(name: ConversationName): readonly string[] {
  const rejected = ownProviderOnly[name].map((fields) => {
    try {
      dialects[name].readRequest({ ...minimalBodies[name], ...fields }, {});
    } catch (error) {
      if (error instanceof RequestProblem) return error.param;
    }
    throw new Error(`${name} does not reject ${JSON.stringify(fields)}`);
  });
  return rejected.length === 0 ? [] : [`- ${described[name].title}: ${code(rejected)}`];
}
