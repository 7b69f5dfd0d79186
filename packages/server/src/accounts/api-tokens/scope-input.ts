import { defaultGroup, isTokenDialect, isTokenEndpoint, splitCommas } from '@headgate/contract';
import { Refusal } from '../../platform/errors/refusal.ts';

/** Who has the token. */
export interface TokenOwner {
  readonly id: number;
  /** His groups, with commas between them. */
  readonly group: string;
}

interface GivenScope {
  readonly groups?: string | undefined;
  readonly dialects?: string | undefined;
  readonly endpoints?: string | undefined;
}

/** Refuses groups that the user has not, and names of dialects and endpoints that there are not. */
export function refuseBadScope({ group }: TokenOwner, { groups, dialects, endpoints }: GivenScope): void {
  const own = splitCommas(group);
  const allowed = own.length > 0 ? own : [defaultGroup];
  const foreign = splitCommas(groups ?? '').find((name) => !allowed.includes(name));
  if (foreign !== undefined) throw new Refusal('groupNotYours', { group: foreign });
  const unknown =
    splitCommas(dialects ?? '').find((name) => !isTokenDialect(name)) ??
    splitCommas(endpoints ?? '').find((name) => !isTokenEndpoint(name));
  if (unknown !== undefined) throw new Refusal('unknownScope', { name: unknown });
}
