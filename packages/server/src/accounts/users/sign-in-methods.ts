import { isRoot, loginProviders } from '@headgate/contract';

type SignInMethod = 'password_hash' | (typeof loginProviders)[keyof typeof loginProviders]['identity'];

const signInMethods: readonly SignInMethod[] = [
  'password_hash',
  ...Object.values(loginProviders).map(({ identity }) => identity),
];

/** True if another sign-in method remains. Email alone does not count, since an email may never arrive. */
export const hasOtherSignInMethod = (user: Readonly<Record<SignInMethod, string | null>>, without?: string): boolean =>
  signInMethods.some((way) => way !== without && user[way] !== null);

/**
 * Whether email reset and provider login are allowed. Admins configure the mail server and the providers, and could
 * use them to take over the super admin's account, so the super admin must opt in.
 */
export const allowsProviderSignIn = (user: { readonly role: number; readonly sign_in_elsewhere: number }): boolean =>
  !isRoot(user) || user.sign_in_elsewhere === 1;
