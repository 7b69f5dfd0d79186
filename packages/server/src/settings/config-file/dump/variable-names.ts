/** The environment variables that a dumped file refers to, and what they have to hold. */
export class VariableNames {
  readonly #held = new Map<string, string>();
  readonly #taken: ReadonlySet<string>;

  /** `taken`: those that are settings of Headgate itself. */
  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  /** A reference to a secret, by a variable that is called after what it is for. */
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

/** `SMTPToken` and `smtp token` are `SMTP_TOKEN`; what has no letters of ASCII is left out. */
const asVariable = (word: string): string =>
  word
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]/)
    .filter(Boolean)
    .join('_')
    .slice(0, longest);
