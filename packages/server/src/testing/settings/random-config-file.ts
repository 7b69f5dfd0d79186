import { seededRandom } from '../relay/random-requests.ts';

/** Generates valid random files; deterministic by seed. */
export class RandomConfigFile {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  #pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.#next() * items.length)] ?? items[0];
  }

  #some<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
    return Object.fromEntries(names.filter(() => this.chance(0.6)).map((name) => [name, make(name)]));
  }

  #secret(variables: Record<string, string>): { env: string } {
    const env = this.#pick(['ONE', 'TWO', 'THREE']);
    variables[env] ??= `secret-${env}`;
    if (this.chance(0.1)) variables[env] = `secret-${Math.floor(this.#next() * 1e6)}`;
    return { env };
  }

  #plans(): object {
    return this.#some(['Basic', 'Pro 专业', 'off sale'], (name) => ({
      ...(name !== 'off sale' && { price: this.#pick([990, 7200]), currency: this.#pick(['usd', 'cny']) }),
      days: this.#pick([1, 30, 365]),
      windows: [
        ...(this.chance(0.5) ? [{ period: 'hours', hours: this.#pick([1, 5]), amount: 500 }] : []),
        { period: this.#pick(['day', 'week', 'all']), amount: this.#pick([1000, 5000]) },
      ],
      ...(this.chance(0.4) && { models: ['gpt-5*', 'claude-x'], groups: ['vip'], upgrade_group: 'vip' }),
      ...(this.chance(0.3) && { recurring: true }),
      ...(this.chance(0.4) && { max_per_user: 1, sort: -1, enabled: false, time_zone: 'Asia/Shanghai' }),
    }));
  }

  #organizations(user: string | undefined): object {
    return this.#some(['Acme', 'Globex 集团'], () => ({
      groups: this.#pick([['default'], ['vip', 'default']]),
      ...(this.chance(0.3) && { enabled: false }),
      ...(user !== undefined && { members: { [user]: this.#pick(['admin', 'viewer']) } }),
      projects: this.#some(['Search', 'Chat'], () => ({
        ...(this.chance(0.5) && { models: ['m', 'gpt-*'] }),
        ...(this.chance(0.5) && { tags: { team: 'search' } }),
        enabled: this.chance(0.7),
      })),
    }));
  }

  file(variables: Record<string, string>): object {
    const channels = this.#some(['a', 'b, c', '漢字', 'it\'s "d"'], () => ({
      type: this.#pick(['OpenAI', 14, 'Groq']),
      ...(this.chance(0.7)
        ? { key: this.#secret(variables) }
        : { keys: [{ ...this.#secret(variables), weight: 1 }, this.#secret(variables)] }),
      models: this.#pick([['m'], ['m', 'gpt-4o'], ['gpt-4o', 'x/y:z']]),
      groups: this.#pick([['default'], ['vip', 'default']]),
      enabled: this.chance(0.7),
      ...(this.chance(0.5) && { priority: this.#pick([-3, 0, 9]) }),
      ...(this.chance(0.3) && { base_url: this.#pick(['https://one.example.com', 'https://two.example.com/v1']) }),
      ...(this.chance(0.3) && { model_mapping: { m: 'n' } }),
      ...(this.chance(0.3) && { purchase: { multiplier: 0.5 } }),
      ...(this.chance(0.3) && { config: { first_byte_seconds: 30, idle_seconds: '40' } }),
    }));
    const users = this.#some(['carol', 'dave', 'Erin'], () => ({
      ...(this.chance(0.5) && { display_name: this.#pick(['C', 'D E']) }),
      groups: this.#pick([['default'], ['vip'], []]),
      role: this.#pick(['common', 'admin']),
      enabled: this.chance(0.6),
    }));
    return {
      options: {
        ...(this.chance(0.5) && { RetryTimes: this.#pick([0, 1, 5]) }),
        ...(this.chance(0.3) && { QuotaPerUnit: this.#pick([500_000, 400_000, 250_000.5]) }),
        ...(this.chance(0.5) && { SystemName: this.#pick(['x', ' y ', '']) }),
        ...(this.chance(0.5) && { SMTPServer: this.#pick(['one.example.com', 'two.example.com']) }),
        ...(this.chance(0.5) && { SMTPToken: this.#secret(variables) }),
      },
      groups: this.#some(['default', 'vip', 'odd name'], () => this.#pick([0, 1, 0.25])),
      models: this.#some(['gpt-4o', 'my-model', 'x/y:z'], () => ({
        input: this.#pick([1, 2.5, 3.333]),
        ...(this.chance(0.6) && { output: this.#pick([5, 10, 0.5]) }),
        ...(this.chance(0.3) && { reasoning: 7 }),
      })),
      channels,
      users,
      aliases: this.#some(['gpt-4', 'old/*', 'x y'], (name) => (name.includes('*') ? 'new/*' : this.#pick(['m', 'n']))),
      routing: this.#some(['all', 'of vip', 'of one model'], (name) => ({
        ...(name === 'of vip' && { group: 'vip' }),
        ...(name === 'of one model' && { model: this.#pick(['gpt-4o', 'gpt-*']) }),
        strategy: this.#pick(['priority_weight', 'cheapest', 'quickest']),
        ...(this.chance(0.5) && { fallbacks: this.#pick([['a'], ['a', 'b/c'], []]) }),
        ...(this.chance(0.3) && { hedge_ms: 100, fits_window: false }),
      })),
      plans: this.#plans(),
      organizations: this.#organizations(Object.keys(users)[0]),
      budgets: {
        ...this.#some(['vip', 'default'], (group) => ({
          group,
          amount: this.#pick([1, 5000]),
          period: this.#pick(['day', 'month']),
          ...(this.chance(0.5) && { time_zone: 'Europe/Berlin', enabled: false }),
        })),
        ...(Object.keys(users)[0] && {
          'somebody’s': { user: Object.keys(users)[0], amount: this.#pick([7, 8]), period: 'all' },
        }),
      },
      log_exports: this.#some(['Disk', 'Collector'], (name) => ({
        ...(name === 'Disk'
          ? { kind: 'folder', settings: { folder: this.#pick(['logs', 'other']) } }
          : { kind: 'otlp', settings: { address: this.#pick(['https://one.example', 'https://two.example']) } }),
        enabled: this.chance(0.6),
      })),
      limits: this.#some(['first', 'second one'], () => ({
        measure: this.#pick(['requests_per_minute', 'cost_per_request']),
        amount: this.#pick([1, 99]),
        counts_per: this.#pick(['all', 'user']),
        ...(this.chance(0.4) && Object.keys(users)[0] && { user: Object.keys(users)[0] }),
        ...(this.chance(0.4) && Object.keys(channels)[0] && { channel: Object.keys(channels)[0] }),
      })),
    };
  }
}
