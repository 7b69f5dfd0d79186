import type { TextKey } from '../../i18n/translate.ts';
import { chooseModel, matchesName } from './choose-model.ts';

/** Input of a snippet. */
export interface SnippetValues {
  /** Gateway address without a trailing slash. */
  readonly address: string;
  /** Key with its prefix. */
  readonly key: string;
  /** Available models; each client chooses a suitable one. */
  readonly models: readonly string[];
}

type Language = 'shell' | 'toml' | 'json' | 'python' | 'javascript' | 'text';

export interface SnippetPart {
  /** Where to put the snippet: a file, a settings field or the terminal. */
  readonly place: string;
  readonly language: Language;
  readonly text: (values: ClientValues) => string;
}

/** Values for the snippet of one client. */
interface ClientValues {
  readonly address: string;
  readonly key: string;
  readonly model: string;
  readonly smallModel: string;
}

export interface SnippetClient {
  readonly id: string;
  readonly name: string;
  /** Parts of the names of preferred models, best first. */
  readonly prefers?: readonly string[];
  /** Part of the name of the model for background tasks; the main model is the fallback. */
  readonly prefersSmall?: string;
  readonly note?: TextKey;
  readonly parts: readonly SnippetPart[];
}

export interface Snippet {
  readonly place: string;
  readonly language: Language;
  readonly text: string;
}

/** Snippets of a client, in the order of use. */
export function snippetsOf(client: SnippetClient, { address, key, models }: SnippetValues): readonly Snippet[] {
  const model = chooseModel(models, client.prefers);
  const smallModel = models.find((name) => client.prefersSmall && matchesName(name, client.prefersSmall)) ?? model;
  return client.parts.map(({ place, language, text }) => ({
    place,
    language,
    text: text({ address, key, model, smallModel }),
  }));
}
