import { isRoot, loginProviders } from '@headgate/contract';

type Way = 'password_hash' | (typeof loginProviders)[keyof typeof loginProviders]['identity'];

const ways: readonly Way[] = ['password_hash', ...Object.values(loginProviders).map(({ identity }) => identity)];

/** Whether the account can be opened without what goes away. An address alone opens nothing: a mail may never come. */
export const hasOtherWayIn = (user: Readonly<Record<Way, string | null>>, without?: string): boolean =>
  ways.some((way) => way !== without && user[way] !== null);

/**
 * Whether mail and other providers open the account: admins say who these are, and would open the account above their
 * own with them. The super admin therefore has to have allowed it.
 */
export const signsInElsewhere = (user: { readonly role: number; readonly sign_in_elsewhere: number }): boolean =>
  !isRoot(user) || user.sign_in_elsewhere === 1;
