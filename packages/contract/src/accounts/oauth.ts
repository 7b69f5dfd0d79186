import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';
import { emailAddress } from './registration.ts';
import { loginFields } from './second-factor.ts';
import { signedInUser } from './user.ts';

/** External sign-in providers: the user column that identifies the account, and the label. */
export const loginProviders = {
  github: { identity: 'github_id', label: 'GitHub' },
  lark: { identity: 'lark_id', label: 'Lark' },
  oidc: { identity: 'oidc_id', label: 'OpenID Connect' },
  wechat: { identity: 'wechat_id', label: 'WeChat' },
} as const;
export type LoginProviderName = keyof typeof loginProviders;

/** Providers that use a browser redirect and an authorization code. */
export const redirectProviders = ['github', 'lark', 'oidc'] as const;
export type RedirectProviderName = (typeof redirectProviders)[number];

/** Sign-in methods that users can unlink from their account. */
const bindings = ['github', 'lark', 'oidc', 'wechat', 'email'] as const;
export type Binding = (typeof bindings)[number];

/** `message` of a response that linked an account instead of signing in. */
export const linkedMessage = 'bind';

const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000));
const state = z._default(z.string().check(z.maxLength(200)), '');
/** Invite code, used when the sign-in creates an account. */
const aff_code = z._default(z.string().check(z.trim(), z.maxLength(200)), '');

const callback = {
  method: 'GET',
  access: 'visitor',
  changes: true,
  limit: 'critical',
  query: z.object({ code, state, aff_code }),
  top: loginFields,
  reply: signedInUser,
} as const;

/**
 * External sign-in for a super admin. Off by default, because admins configure the mail server and the providers, and
 * could use them to sign in as super admin.
 */
const externalSignIn = z.object({ isAllowed: z.boolean() });

export const oauthApi = {
  state: {
    method: 'GET',
    path: '/api/oauth/state',
    access: 'visitor',
    changes: true,
    query: z.object({ provider: z.optional(z.enum(redirectProviders)) }),
    top: z.object({ url: z.optional(z.string()) }),
    reply: z.string(),
  },
  github: {
    ...callback,
    path: '/api/oauth/github',
  },
  lark: {
    ...callback,
    path: '/api/oauth/lark',
  },
  oidc: {
    ...callback,
    path: '/api/oauth/oidc',
  },
  wechat: {
    ...callback,
    path: '/api/oauth/wechat',
    query: z.object({ code, aff_code }),
  },
  bindWechat: {
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    changes: true,
    limit: 'critical',
    proof: 'recent',
    query: z.object({ code }),
    reply: noData,
  },
  bindEmail: {
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    changes: true,
    limit: 'critical',
    proof: 'recent',
    query: z.object({ email: emailAddress, code }),
    reply: noData,
  },
  unbind: {
    method: 'DELETE',
    path: '/api/oauth/:binding',
    access: 'user',
    proof: 'recent',
    params: z.object({ binding: z.enum(bindings) }),
    reply: noData,
  },
  elsewhere: {
    method: 'GET',
    path: '/api/user/sign_in_elsewhere',
    access: 'root',
    reply: externalSignIn,
  },
  allowElsewhere: {
    method: 'PUT',
    path: '/api/user/sign_in_elsewhere',
    access: 'root',
    proof: 'recent',
    body: externalSignIn,
    reply: noData,
  },
} as const satisfies EndpointTable;
