import { batchKeys, bodyOf, type ChannelForm, type OpenedChannel } from './channel-form.ts';
import type { UpstreamModelsQuestion } from './channel-queries.ts';

/** What the provider is asked with: the form as it is, saved or not. */
export function upstreamQuestion(form: ChannelForm, opened: OpenedChannel): UpstreamModelsQuestion {
  const { type, key, base_url, other, config } = bodyOf(form, opened);
  // Of several keys the first speaks for all.
  const [first = ''] = form.isBatch ? batchKeys(key) : [key];
  return { ...(opened.id !== undefined && { id: opened.id }), type, key: first, base_url, other, config };
}

export interface OfferedModel {
  readonly name: string;
  /** The channel has it already. */
  readonly isPresent: boolean;
}

/** What the provider offers, what is new first. */
export function offeredModels(offered: readonly string[], present: readonly string[]): readonly OfferedModel[] {
  const had = new Set(present);
  const all = offered.map((name) => ({ name, isPresent: had.has(name) }));
  return [...all.filter(({ isPresent }) => !isPresent), ...all.filter(({ isPresent }) => isPresent)];
}

/** The models whose names hold every word of the keyword. */
export function matchingModels(models: readonly OfferedModel[], keyword: string): readonly OfferedModel[] {
  const words = keyword.toLowerCase().split(/\s+/);
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
