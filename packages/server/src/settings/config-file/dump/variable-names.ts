/** Environment variables that a dumped file refers to, with their values. */
export class VariableNames {
  readonly #held = new Map<string, string>();
  readonly #taken: ReadonlySet<string>;

  /** `taken`: variables that are settings of Headgate itself. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** Creates a reference to a secret through a variable named after its purpose. */
  refer(words: readonly string[], secret: string): { readonly env: string } {
    const wanted = words.map(asVariable).filter(Boolean).join('_');
    const start = /^[A-Z_]/.test(wanted) ? wanted : `SECRET_${wanted}`;
    let env = start;
    for (let number = 2; this.#taken.has(env) || this.#held.has(env); number += 1) env = `${start}_${number}`;
    this.#held.set(env, secret);
    return { env };
  }

  get names(): string[] {
    return [...this.#held.keys()];
  }

  value(name: string): string | undefined {
    return this.#held.get(name);
  }
}

const longest = 60;

/** `SMTPToken` and `smtp token` become `SMTP_TOKEN`; characters other than ASCII are dropped. */
const asVariable = (word: string): string =>
  word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]/)
    .filter(Boolean)
    .join('_')
    .slice(0, longest);
