import { isPattern, type ModelAlias, matchOf, type RoutingRule, splitCommas, withMatch } from '@headgate/contract';
import type { RouteRule } from '@headgate/relay';
import type { RoutingService } from '../../routing/routing-service.ts';

/** A rule as it was made, and as the relay goes by it. */
interface CompiledRule {
  readonly row: RoutingRule;
  readonly rule: RouteRule;
}

/** Names that were looked for before; there are few of them and many requests. */
const mostKnown = 10_000;
/** No channel has a longer one, whatever clients ask for. */
const longestKnown = 500;

/** The rules of routing and other names of models in memory; read again whenever one changes. */
export class RoutingTable {
  readonly #service: Pick<RoutingService, 'rules' | 'aliases'>;
  #rules: readonly CompiledRule[] = [];
  #aliases: readonly ModelAlias[] = [];
  #known = new Map<string, CompiledRule | undefined>();
  #readings = 0;
  #shown = 0;

  constructor(service: Pick<RoutingService, 'rules' | 'aliases'>) {
    this.#service = service;
  }

  /** What was read before something that is shown already would bring back what has been changed. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const [rules, aliases] = await Promise.all([this.#service.rules(), this.#service.aliases()]);
    if (reading < this.#shown) return;
    this.#shown = reading;
    this.#rules = rules.map((row) => ({ row, rule: ruleOf(row) }));
    this.#aliases = aliases;
    this.#known = new Map();
  }

  /** Characters of names that are remembered. */
  get rememberedLength(): number {
    return [...this.#known.keys()].reduce((sum, { length }) => sum + length, 0);
  }

  get hasRules(): boolean {
    return this.#rules.length > 0;
  }

  /** The most exact rule for a group and a model. */
  find(group: string, model: string): CompiledRule | undefined {
    const name = `${group}\0${model}`;
    if (this.#known.has(name)) return this.#known.get(name);
    const found = this.#rules.find(({ row }) => applies(row, group, model));
    if (name.length > longestKnown) return found;
    // Clients may invent names without end: those that are asked for are soon known again.
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(name, found);
    return found;
  }

  /** What a name stands for; undefined: for itself. What it stands for is not looked for again. */
  aliasOf(name: string): { readonly alias: ModelAlias; readonly model: string } | undefined {
    for (const alias of this.#aliases) {
      const match = matchOf(alias.pattern, name);
      if (match === undefined) continue;
      const model = withMatch(alias.model, match);
      return model === name ? undefined : { alias, model };
    }
    return undefined;
  }

  /** Names that can be listed: those without a star. */
  get names(): readonly ModelAlias[] {
    return this.#aliases.filter(({ pattern }) => !isPattern(pattern));
  }
}

const applies = (row: RoutingRule, group: string, model: string): boolean =>
  (row.group === '' || row.group === group) && (row.model === '' || matchOf(row.model, model) !== undefined);

const ruleOf = ({ strategy, affinity, fits_window, hedge_ms, fallbacks, model }: RoutingRule): RouteRule => ({
  strategy,
  affinity,
  fitsWindow: fits_window,
  hedgeMs: hedge_ms,
  fallbacks: splitCommas(fallbacks).filter((name) => name !== model),
});
