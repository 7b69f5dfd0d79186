import { defaultOptions, isStoredOption, optionRow, type StoredOptionValues } from '@headgate/contract';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { OptionRepository } from './option-repository.ts';

/** Options in effect, in memory. The default replaces a stored value that can no longer be parsed. */
export class OptionService {
  readonly #options: OptionRepository;
  readonly #box: SecretBox;
  #values: StoredOptionValues = defaultOptions;
  #loading: Promise<void> = Promise.resolve();

  constructor(options: OptionRepository, box: SecretBox) {
    this.#options = options;
    this.#box = box;
  }

  get values(): StoredOptionValues {
    return this.#values;
  }

  /** Loads the options serially, because a slow earlier read must not restore old values. */
  load(): Promise<void> {
    const load = async () => {
      this.#values = await this.read(this.#options);
    };
    this.#loading = this.#loading.then(load, load);
    return this.#loading;
  }

  /** Stored values, which may be newer than those in effect. */
  async read(options: OptionRepository): Promise<StoredOptionValues> {
    const stored = (await options.all()).flatMap(({ key, value }) => {
      if (!isStoredOption(key)) return [];
      const row = optionRow(key);
      const parsed = row.schema.safeParse(row.control === 'secret' ? this.#open(value) : value);
      return parsed.success ? [[key, parsed.data] as const] : [];
    });
    return { ...defaultOptions, ...Object.fromEntries(stored) };
  }

  #open(sealed: string): string {
    try {
      return sealed === '' ? '' : this.#box.open(sealed);
    } catch {
      return '';
    }
  }
}
