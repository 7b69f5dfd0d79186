import { splitCommas } from '@headgate/contract';

const preferredModel = 'gpt-3.5-turbo';

/** What a channel is tested with: what was asked for, else the usual one when the channel has it, else its first. */
export function testModel({ models }: { readonly models: string }, wanted: string): string {
  const listed = splitCommas(models);
  return wanted || (listed.includes(preferredModel) ? preferredModel : (listed[0] ?? preferredModel));
}
