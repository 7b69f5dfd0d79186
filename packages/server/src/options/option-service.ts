import { defaultOptions, isOptionKey, type OptionValues, optionRow } from '@headgate/contract';
import type { OptionRepository } from './option-repository.ts';

/** The options in force, read from memory; stored text that no longer parses counts as the default. */
export class OptionService {
  readonly #options: OptionRepository;
  #values: OptionValues = defaultOptions;

  constructor(options: OptionRepository) {
    this.#options = options;
  }

  get values(): OptionValues {
    return this.#values;
  }

  async load(): Promise<void> {
    const stored = (await this.#options.all()).flatMap(({ key, value }) => {
      const parsed = isOptionKey(key) ? optionRow(key).schema.safeParse(value) : undefined;
      return parsed?.success ? [[key, parsed.data] as const] : [];
    });
    this.#values = { ...defaultOptions, ...Object.fromEntries(stored) };
  }
}
