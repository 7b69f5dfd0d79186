import type { Words } from '../../i18n/translate.ts';
import { chooseModel, isNamed } from './choose-model.ts';

/** What a snippet is made from. */
export interface SnippetValues {
  /** The address of the gateway, without a slash at its end. */
  readonly address: string;
  /** The key with its prefix. */
  readonly key: string;
  /** All that may be used; each client takes what suits it. */
  readonly models: readonly string[];
}

type Language = 'shell' | 'toml' | 'json' | 'python' | 'javascript' | 'text';

export interface SnippetPart {
  /** Where it goes: a file, a field of the program's settings, or the terminal. */
  readonly place: string;
  readonly language: Language;
  readonly text: (values: ClientValues) => string;
}

/** What the snippet of one client is filled with. */
interface ClientValues {
  readonly address: string;
  readonly key: string;
  readonly model: string;
  readonly smallModel: string;
}

export interface SnippetClient {
  readonly id: string;
  readonly name: string;
  /** Words in the names of the models it works best with, the better first. */
  readonly prefers?: readonly string[];
  /** A part of the name of the model for small tasks on the side; where none fits, the main model does them. */
  readonly prefersSmall?: string;
  readonly note?: Words;
  readonly parts: readonly SnippetPart[];
}

export interface Snippet {
  readonly place: string;
  readonly language: Language;
  readonly text: string;
}

/** What a client is given, in the order it is needed. */
export function snippetsOf(client: SnippetClient, { address, key, models }: SnippetValues): readonly Snippet[] {
  const model = chooseModel(models, client.prefers);
  const smallModel = models.find((name) => client.prefersSmall && isNamed(name, client.prefersSmall)) ?? model;
  return client.parts.map(({ place, language, text }) => ({
    place,
    language,
    text: text({ address, key, model, smallModel }),
  }));
}
