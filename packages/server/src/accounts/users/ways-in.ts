import { isRoot, loginProviders } from '@headgate/contract';

type Way = 'password_hash' | (typeof loginProviders)[keyof typeof loginProviders]['identity'];

const ways: readonly Way[] = ['password_hash', ...Object.values(loginProviders).map(({ identity }) => identity)];

/** True if another sign-in method remains. Email alone does not count, since an email may never arrive. */
export const hasOtherWayIn = (user: Readonly<Record<Way, string | null>>, without?: string): boolean =>
  ways.some((way) => way !== without && user[way] !== null);

/**
 * Whether email reset and provider login are allowed. Admins configure the mail server and the providers, and could
 * use them to take over the super admin's account, so the super admin must opt in.
 */
export const signsInElsewhere = (user: { readonly role: number; readonly sign_in_elsewhere: number }): boolean =>
  !isRoot(user) || user.sign_in_elsewhere === 1;
