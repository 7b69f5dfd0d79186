import { type Tags, tagsMember } from '@headgate/contract';
import { isObject, parseJsonObject } from '@headgate/dialects';

/** Tags in the detail of a log; empty if there are none, or if another program wrote something else there. */
export function readRequestTags(detail: string): Tags {
  if (!detail.includes(`"${tagsMember}":`)) return {};
  const tags = parseJsonObject(detail)?.[tagsMember];
  if (!isObject(tags)) return {};
  return Object.fromEntries(Object.entries(tags).filter((tag): tag is [string, string] => typeof tag[1] === 'string'));
}
