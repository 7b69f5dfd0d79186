import { type ChannelRule, type ChannelRuleAction, readChannelRules } from '@headgate/contract';
import type { ChannelRules } from '../ports/relay-channel.ts';

const writtenBytes = (action: ChannelRuleAction): number =>
  'value' in action && 'path' in action ? Buffer.byteLength(action.path + JSON.stringify(action.value)) : 0;

const changesBody = (action: ChannelRuleAction): boolean => 'path' in action;

/**
 * Rules of a stored channel, after those of its tag; undefined: none. The rules of the channel must be valid.
 */
export function readRules(text: string, ofTag: readonly ChannelRule[] = []): ChannelRules | undefined {
  const { rules: own = [] } = readChannelRules(text);
  const all = [...ofTag, ...own];
  if (all.length === 0) return undefined;
  const actions = all.flatMap((rule) => rule.then);
  return {
    all,
    changesBody: actions.some(changesBody),
    writtenBytes: actions.reduce((sum, action) => sum + writtenBytes(action), 0),
  };
}
