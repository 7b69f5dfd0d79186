import { isObject, type JsonObject, objectOf } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';

const kinds = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

type PartKind = (typeof kinds)[number];

/** A part of a turn, with its kind and value. */
export interface Part {
  readonly kind: PartKind;
  readonly value: unknown;
  readonly isThought: boolean;
  /** Google's signature, or tagged reasoning of another maker; empty when there is none. */
  readonly signature: string;
  readonly at: string;
}

export const readParts = (content: JsonObject, at: string): readonly Part[] =>
  oneOrMore(content['parts'], `${at}.parts`).map((part, index) => readPart(part, `${at}.parts[${index}]`));

function readPart(value: unknown, at: string): Part {
  const part = objectOf(value, at);
  const signature = fieldOf(part, 'thoughtSignature', at);
  const isThought = part['thought'] === true;
  const beside = { isThought, signature: typeof signature === 'string' ? signature : '', at };
  const held = kinds.flatMap((kind) => {
    const given = fieldOf(part, kind, at);
    return given === undefined ? [] : [{ kind, value: given }];
  });
  const [only, another] = held;
  if (another)
    throw new RequestProblem(
      at,
      `${at} contains ${held.map(({ kind }) => kind).join(' and ')}. Send them as separate parts`,
    );
  if (only) return { ...only, ...beside };
  // A part may contain only a signature.
  if (isThought || beside.signature !== '') return { kind: 'text', value: '', ...beside };
  throw new RequestProblem(at, `${at} is not a supported part type${namesIn(part)}`);
}

const namesIn = (part: JsonObject) => {
  const names = Object.keys(part).filter((name) => isObject(part[name]));
  return names.length === 0 ? '' : `: ${names.join(', ').slice(0, 100)}`;
};
