import { channelTypes } from '../packages/contract/src/index.ts';
import {
  type Ability,
  abilitiesOf,
  type Capability,
  capabilities,
  providers,
} from '../packages/providers/src/index.ts';

const signs: Readonly<Record<Ability, string>> = { yes: '●', passed: '→', partly: '◐', no: '' };

const words: Readonly<Partial<Record<Capability, string>>> = {
  'images in': 'pictures in',
  images: 'pictures out',
  response_format: 'format',
};

/** The page of what each channel type can, made of the providers themselves. */
export function providersPage(): string {
  const rows = channelTypes
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, name }) => line([String(id), name, ...abilitySigns(id)]));
  return [
    '# Providers',
    '',
    '<!-- Written by `npm run providers-doc`; a test compares it with the providers. -->',
    '',
    'What each channel type can. ● it can · → it passes the request unchanged, so as far as the model can · ◐ with some keys,',
    'settings or models (for audio: speech or transcription only) · empty: the relay answers 400 and names what is missing.',
    'A client that asks for a stream where there is none gets the answer in one piece.',
    '',
    line(['Id', 'Type', ...capabilities.map((name) => words[name] ?? name)]),
    line(['--:', '---', ...capabilities.map(() => ':-:')]),
    ...rows,
    '',
    `Channels of type ${proxyNames()} pass whole calls to their own address and have no endpoints.`,
    '',
  ].join('\n');
}

function abilitySigns(id: keyof typeof providers): readonly string[] {
  const abilities = abilitiesOf(providers[id]);
  return capabilities.map((name) => signs[abilities[name]]);
}

const proxyNames = () =>
  channelTypes
    .filter(({ id }) => providers[id].isProxy)
    .map(({ id, name }) => `${id} (${name})`)
    .join(', ');

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
