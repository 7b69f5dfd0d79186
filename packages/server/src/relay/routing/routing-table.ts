import {
  fillWildcard,
  isMoreSpecific,
  isPattern,
  type ModelAlias,
  type RoutingRule,
  splitCommas,
  wildcardMatch,
} from '@headgate/contract';
import type { RouteMirror, RouteRule, RouteSplit } from '@headgate/relay';
import type { RoutingService } from '../../catalog/routing-rules/routing-service.ts';

/** A stored rule and its compiled form. */
interface CompiledRule {
  readonly row: RoutingRule;
  readonly rule: RouteRule;
}

/** Maximum number of cached lookups. */
const maxKnown = 10_000;
/** Longest cached name; channels have no longer names. */
const maxKnownLength = 500;

/** Routing rules and model aliases in memory, reloaded whenever one changes. */
export class RoutingTable {
  readonly #service: Pick<RoutingService, 'rules' | 'aliases'>;
  /** Rules for one exact model, by group and model. */
  #named: ReadonlyMap<string, CompiledRule> = new Map();
  #ruledModels: ReadonlySet<string> = new Set();
  /** Rules with patterns or for every model, most specific first, by group. */
  #patterns: ReadonlyMap<string, readonly CompiledRule[]> = new Map();
  #count = 0;
  #aliases: readonly ModelAlias[] = [];
  #aliasNames: ReadonlyMap<string, ModelAlias> = new Map();
  #aliasPatterns: readonly ModelAlias[] = [];
  /** Cached lookups by group and model. */
  #known = new Map<string, Map<string, CompiledRule | undefined>>();
  #knownCount = 0;
  #readings = 0;
  #shown = 0;

  constructor(service: Pick<RoutingService, 'rules' | 'aliases'>) {
    this.#service = service;
  }

  /** Discards reads older than the loaded state, which would undo a change. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const [rules, aliases] = await Promise.all([this.#service.rules(), this.#service.aliases()]);
    if (reading < this.#shown) return;
    this.#shown = reading;
    this.#showRules(rules.map((row) => ({ row, rule: ruleOf(row) })));
    this.#aliases = aliases;
    this.#aliasNames = new Map(this.names.map((alias) => [alias.pattern, alias]));
    this.#aliasPatterns = aliases.filter(({ pattern }) => isPattern(pattern));
    this.#forget();
  }

  /** Total length of cached names. */
  get rememberedLength(): number {
    let length = 0;
    for (const [group, models] of this.#known) for (const model of models.keys()) length += group.length + model.length;
    return length;
  }

  get hasRules(): boolean {
    return this.#count > 0;
  }

  /** The most specific rule for a group and a model. */
  find(group: string, model: string): CompiledRule | undefined {
    const known = this.#known.get(group);
    const rule = known?.get(model);
    if (rule || known?.has(model)) return rule;
    const found = this.#mostExact(group, model);
    if (group.length + model.length <= maxKnownLength) this.#remember(group, model, found);
    return found;
  }

  /** Clients can invent any number of names, so a full cache is cleared. Names in use are soon cached again. */
  #remember(group: string, model: string, found: CompiledRule | undefined): void {
    if (this.#knownCount >= maxKnown) this.#forget();
    const known = this.#known.get(group) ?? new Map<string, CompiledRule | undefined>();
    this.#known.set(group, known.set(model, found));
    this.#knownCount += 1;
  }

  #forget(): void {
    this.#known = new Map();
    this.#knownCount = 0;
  }

  /** True if a rule is for exactly this model, so that its fallback models may serve it. */
  isNamedByRule(model: string): boolean {
    return this.#ruledModels.has(model);
  }

  #showRules(rules: readonly CompiledRule[]): void {
    this.#count = rules.length;
    const isNamed = ({ row }: CompiledRule) => row.model !== '' && !isPattern(row.model);
    this.#named = new Map(rules.filter(isNamed).map((rule) => [keyOf(rule.row.group, rule.row.model), rule]));
    this.#ruledModels = new Set(rules.filter(isNamed).map(({ row }) => row.model));
    this.#patterns = Map.groupBy(
      rules.filter((rule) => !isNamed(rule)),
      ({ row }) => row.group,
    );
  }

  #mostExact(group: string, model: string): CompiledRule | undefined {
    const named = this.#named.get(keyOf(group, model)) ?? this.#named.get(keyOf('', model));
    if (named) return named;
    const [own, all] = this.comparedWith(group).map((rules) => rules.find(({ row }) => fits(row, model)));
    if (!own || !all) return own ?? all;
    return isMoreSpecific(all.row.model || anyModel, own.row.model || anyModel) ? all : own;
  }

  /** Patterns of a group and of all groups; only these are compared. */
  comparedWith(group: string): readonly [own: readonly CompiledRule[], all: readonly CompiledRule[]] {
    return [(group !== '' && this.#patterns.get(group)) || none, this.#patterns.get('') ?? none];
  }

  /** Target of an alias; undefined if the name is not an alias. Targets are not resolved further. */
  aliasOf(name: string): { readonly alias: ModelAlias; readonly model: string } | undefined {
    for (const alias of this.aliasesComparedWith(name)) {
      const match = wildcardMatch(alias.pattern, name);
      if (match === undefined) continue;
      const model = fillWildcard(alias.model, match);
      return model === name ? undefined : { alias, model };
    }
    return undefined;
  }

  /** The alias with this exact name, or else all patterns. */
  aliasesComparedWith(name: string): readonly ModelAlias[] {
    const named = this.#aliasNames.get(name);
    return named ? [named] : this.#aliasPatterns;
  }

  /** Aliases that can be listed: those without wildcards. */
  get names(): readonly ModelAlias[] {
    return this.#aliases.filter(({ pattern }) => !isPattern(pattern));
  }
}

const none: readonly CompiledRule[] = [];
const anyModel = '*';

const keyOf = (group: string, model: string): string => `${group}\0${model}`;

const fits = ({ model: pattern }: RoutingRule, model: string): boolean =>
  pattern === '' || wildcardMatch(pattern, model) !== undefined;

const splitOf = ({
  split_model: model,
  split_tag: tag,
  split_percent: percent,
  split_own_price,
}: RoutingRule): RouteSplit | undefined =>
  (model === '' && tag === '') || percent === 0 ? undefined : { model, tag, percent, hasOwnPrice: split_own_price };

const mirrorOf = (row: RoutingRule): RouteMirror | undefined => {
  const { mirror_model: model, mirror_channel: channel, mirror_percent: percent } = row;
  return percent === 0 ? undefined : { model, channel, percent };
};

const ruleOf = (row: RoutingRule): RouteRule => ({
  strategy: row.strategy,
  affinity: row.affinity,
  fitsWindow: row.fits_window,
  hedgeMs: row.hedge_ms,
  fallbacks: splitCommas(row.fallbacks).filter((name) => name !== row.model),
  split: splitOf(row),
  mirror: mirrorOf(row),
});
