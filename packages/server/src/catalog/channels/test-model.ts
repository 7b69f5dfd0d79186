import { splitCommas } from '@headgate/contract';

const preferredModel = 'gpt-3.5-turbo';

/**
 * Model for a channel test: the requested one, otherwise the default if the channel has it, otherwise the channel's
 * first.
 */
export function pickTestModel({ models }: { readonly models: string }, wanted: string): string {
  const listed = splitCommas(models);
  return wanted || (listed.includes(preferredModel) ? preferredModel : (listed[0] ?? preferredModel));
}
