import type { ModelAlias } from '@headgate/contract';
import { splitReasoningSuffix } from '@headgate/providers';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import type { RoutingTable } from './routing-table.ts';

export interface NameTables {
  readonly channels: Pick<ChannelTable, 'knows'>;
  readonly routing: Pick<RoutingTable, 'aliasOf' | 'isNamedByRule'>;
  /** True if names with a reasoning suffix are resolved. */
  readonly hasSuffixes: () => boolean;
}

/** The model that serves a requested name. */
export interface ResolvedModel {
  readonly model: string;
  /** The name without its reasoning suffix, possibly an alias. */
  readonly base: string;
  readonly alias?: ModelAlias;
  readonly reasoning?: ReasoningSetting;
}

type ReasoningSetting = NonNullable<ReturnType<typeof splitReasoningSuffix>>['reasoning'];

/**
 * Resolves aliases and reasoning suffixes. A model or alias with the whole name takes precedence over a suffix, and the
 * base of a suffix must be a model or an alias of one.
 */
export function resolveModel(tables: NameTables, name: string, mayHaveSuffix = true): ResolvedModel {
  const aliased = tables.routing.aliasOf(name);
  const model = aliased?.model ?? name;
  const plain = { model, base: name, ...(aliased && { alias: aliased.alias }) };
  if (!mayHaveSuffix || !tables.hasSuffixes() || isModel(tables, model)) return plain;
  const split = splitReasoningSuffix(model);
  if (!split) return plain;
  const { reasoning } = split;
  if (aliased) return isModel(tables, split.model) ? { ...plain, model: split.model, reasoning } : plain;
  const base = tables.routing.aliasOf(split.model);
  const target = base?.model ?? split.model;
  if (!isModel(tables, target)) return plain;
  return { model: target, base: split.model, ...(base && { alias: base.alias }), reasoning };
}

const isModel = ({ channels, routing }: NameTables, model: string): boolean =>
  channels.knows(model) || routing.isNamedByRule(model);
