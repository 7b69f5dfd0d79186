import { channelTypes } from '../packages/contract/src/index.ts';
import {
  asksToReason,
  type ChatDemand,
  type ConversationName,
  chatDemands,
  demandsIn,
  dialects,
  RequestProblem,
} from '../packages/dialects/src/index.ts';
import {
  type Ability,
  abilitiesOf,
  passesOf,
  providers,
  translationTo,
  type Upstream,
  upstreamsOf,
} from '../packages/providers/src/index.ts';
import { keyHeaders } from '../packages/server/src/relay/clients/presented-key.ts';
import { ownHouseOnly, plainBodies, wishes } from './dialect-wishes.ts';
import { valuesRefusedBy } from './value-refusals.ts';

const conversations = Object.keys(dialects) as readonly ConversationName[];

/** What a client calls each, and what is served beside its conversations; a server test asks at every address. */
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

/** The page of what each dialect has and where it is translated, made of the dialects and the providers themselves. */
export function dialectsPage(): string {
  const titles = conversations.map((name) => described[name].title);
  return [
    '# Dialects',
    '',
    '<!-- Written by `npm run dialects-doc`; a test compares it with the code. -->',
    '',
    'A client speaks to Headgate in one of these dialects, and every channel type that chats serves all of them. Where the',
    'channel speaks the client’s dialect itself, its bytes pass; elsewhere they are translated, whole answers and streams',
    'alike. A type that only passes whole calls to its own address (Proxy) has no dialect.',
    '',
    '## Addresses',
    '',
    row(['Dialect', 'Addresses']),
    row(['---', '---']),
    ...conversations.map(addressRow),
    '',
    `The key goes in ${[...keyHeaders.map((name) => `\`${name}\``), '`?key=`'].join(', ')}, in any dialect: the first`,
    'of these that is there is believed. `GET /v1/models` answers in Anthropic’s form to who sends `anthropic-version`.',
    '',
    'Responses can be continued on every channel, by `previous_response_id` and `item_reference`, and read, listed and deleted by',
    `their ids, by the user who created them. ${keepers()} store them themselves, and only the channel that has a`,
    'response can continue it. For all other channels the gateway stores them, unless `store` is `false`, for as long as',
    '[Response retention (days)](settings.md) says; any channel can continue those. `POST /v1/responses/compact` passes where the',
    'channel stores responses, and is rejected elsewhere. `/openai/v1` is an alias of `/v1`.',
    '',
    '## Passed and translated',
    '',
    '● bytes pass · ◐ bytes pass with some keys, settings or models, else translated · ⇄ translated',
    '',
    row(['Id', 'Type', ...titles]),
    row(['--:', '---', ...titles.map(() => ':-:')]),
    ...chattingTypes().map(({ id, name }) => row([String(id), name, ...passageSigns(id)])),
    '',
    '## What each dialect can ask for',
    '',
    'Under OpenAI’s names, which are also those in a refusal. ○ where a model cannot, it is left out and named instead ·',
    'empty: the dialect has no words for it.',
    '',
    row(['Wish', ...titles]),
    row(['---', ...titles.map(() => ':-:')]),
    ...chatDemands.map((demand) => row([`\`${demand}\``, ...conversations.map((name) => wishSign(name, demand))])),
    '',
    ...refusalSection(),
  ].join('\n');
}

const refusalSection = (): readonly string[] => [
  '## What a translated request is refused for',
  '',
  'It would change what the answer is, so the relay answers 400 and names it, in the client’s dialect. What only hints at',
  'how to answer is left out instead and named in the header `x-headgate-ignored`. Tools of a provider’s own',
  '(`server_tools`) are left out where the client offers others beside them.',
  '',
  row(['Types', 'refused', 'refused with some models', 'left out']),
  row(['---', '---', '---', '---']),
  ...refusalRows(),
  '',
  '### For what it says',
  '',
  'What a type carries over in one value and not in another is refused the same way: the relay asks the next channel, and',
  'answers 400 with the field when there is none.',
  '',
  row(['Types', 'refused']),
  row(['---', '---']),
  ...valueRows(),
  '',
  'What is about an account at the dialect’s own house is refused wherever it is translated:',
  '',
  ...conversations.flatMap(ownHouseLine),
  '',
];

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const addressRow = (name: ConversationName) => row([described[name].title, code(described[name].addresses)]);

const chattingTypes = () =>
  channelTypes
    .filter(({ id }) => abilitiesOf(providers[id]).chat === 'yes')
    .toSorted((one, other) => one.id - other.id);

const keepers = () =>
  channelTypes
    .filter(({ id }) => upstreamsOf(providers[id]).some((upstream) => keeps(id, upstream)))
    .map(({ name }) => name)
    .join(', ');

function keeps(id: keyof typeof providers, upstream: Upstream): boolean {
  const { responses } = providers[id];
  return (typeof responses === 'function' ? responses(upstream) : responses)?.kept !== undefined;
}

const signs: Readonly<Record<Ability, string>> = { yes: '●', passed: '●', partly: '◐', no: '⇄' };

const passageSigns = (id: keyof typeof providers) => conversations.map((name) => signs[passesOf(providers[id], name)]);

/** Read by the dialect itself, so that the page cannot promise what is not understood. */
function wishSign(name: ConversationName, demand: ChatDemand): string {
  const wish = wishes[name][demand];
  if (wish === undefined) return '';
  const asked = dialects[name].readRequest({ ...plainBodies[name], ...wish }, {});
  if (demandsIn(asked).includes(demand)) return '●';
  if (demand === 'reasoning_effort' && asksToReason(asked)) return '○';
  throw new Error(`${name} does not read ${demand}`);
}

/** Types that refuse and leave out the same share a row. */
function refusalRows(): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { id, name } of chattingTypes()) {
    const { refused, sometimesRefused, leftOut } = translationTo(providers[id]);
    const cells = [refused, sometimesRefused, leftOut].map(code).join(' | ');
    named.set(cells, [...(named.get(cells) ?? []), name]);
  }
  return [...named].map(([cells, names]) => row([names.join(', '), cells]));
}

/** Types that refuse the same values share a row. */
function valueRows(): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { id, name } of chattingTypes()) {
    const refused = valuesRefusedBy(providers[id]).join(', ');
    if (refused !== '') named.set(refused, [...(named.get(refused) ?? []), name]);
  }
  return [...named].map(([refused, names]) => row([names.join(', '), refused]));
}

function ownHouseLine(name: ConversationName): readonly string[] {
  const refused = ownHouseOnly[name].map((fields) => {
    try {
      dialects[name].readRequest({ ...plainBodies[name], ...fields }, {});
    } catch (error) {
      if (error instanceof RequestProblem) return error.param;
    }
    throw new Error(`${name} does not refuse ${JSON.stringify(fields)}`);
  });
  return refused.length === 0 ? [] : [`- ${described[name].title}: ${code(refused)}`];
}
