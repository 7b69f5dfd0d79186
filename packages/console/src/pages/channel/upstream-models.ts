import { batchKeys, bodyOf, type ChannelForm, type OpenedChannel } from './channel-form.ts';
import type { UpstreamModelsInput } from './channel-queries.ts';

/** Input for querying the provider: the current form values, saved or not. */
export function upstreamModelsInput(form: ChannelForm, opened: OpenedChannel): UpstreamModelsInput {
  const { type, key, base_url, other, config } = bodyOf(form, opened);
  // With several keys, the first is used.
  const [first = ''] = form.isBatch ? batchKeys(key) : [key];
  return { ...(opened.id !== undefined && { id: opened.id }), type, key: first, base_url, other, config };
}

export interface UpstreamModelChoice {
  readonly name: string;
  /** True if the channel already has it. */
  readonly isPresent: boolean;
}

/** Models of the provider, new ones first. */
export function upstreamModelChoices(
  offered: readonly string[],
  present: readonly string[],
): readonly UpstreamModelChoice[] {
  const had = new Set(present);
  const all = offered.map((name) => ({ name, isPresent: had.has(name) }));
  return [...all.filter(({ isPresent }) => !isPresent), ...all.filter(({ isPresent }) => isPresent)];
}

/** Models whose names contain every word of the keyword. */
export function matchingModels(
  models: readonly UpstreamModelChoice[],
  keyword: string,
): readonly UpstreamModelChoice[] {
  const words = keyword.toLowerCase().split(/\s+/);
  return models.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
