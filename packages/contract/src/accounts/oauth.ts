import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { nothing } from '../wire/list.ts';
import { emailAddress } from './registration.ts';
import { loginTop } from './second-factor.ts';
import { signedInUser } from './user.ts';

/** Ways in beside the password: the column of the account behind each, and its name for people. */
export const loginProviders = {
  github: { identity: 'github_id', label: 'GitHub' },
  lark: { identity: 'lark_id', label: 'Lark' },
  oidc: { identity: 'oidc_id', label: 'OpenID Connect' },
  wechat: { identity: 'wechat_id', label: 'WeChat' },
} as const;
export type LoginProviderName = keyof typeof loginProviders;

/** Those whose page the browser is sent to and comes back from with a code. */
export const redirectProviders = ['github', 'lark', 'oidc'] as const;
export type RedirectProviderName = (typeof redirectProviders)[number];

/** What a person can unbind from the own account. */
const bindings = ['github', 'lark', 'oidc', 'wechat', 'email'] as const;
export type Binding = (typeof bindings)[number];

/** The message of a reply that has bound an account instead of signing in. */
export const boundMessage = 'bind';

const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000));
const state = z._default(z.string().check(z.maxLength(200)), '');
/** Of the inviter, for whoever comes for the first time. */
const aff_code = z._default(z.string().check(z.trim(), z.maxLength(200)), '');

const callback = {
  method: 'GET',
  access: 'visitor',
  changes: true,
  limit: 'critical',
  query: z.object({ code, state, aff_code }),
  top: loginTop,
  reply: signedInUser,
} as const;

/** Admins choose the mail server and the providers: who may read or answer for them is not their owner's choice. */
const elsewhere = z.object({ isAllowed: z.boolean() });

export const oauthApi = {
  state: {
    method: 'GET',
    path: '/api/oauth/state',
    access: 'visitor',
    summary: 'A state for one sign-in with another provider, and the address of that provider’s page',
    changes: true,
    query: z.object({ provider: z.optional(z.enum(redirectProviders)) }),
    top: z.object({ url: z.optional(z.string()) }),
    reply: z.string(),
  },
  github: {
    ...callback,
    path: '/api/oauth/github',
    summary: 'Sign in with GitHub, or bind its account when signed in (the message is then bind)',
  },
  lark: {
    ...callback,
    path: '/api/oauth/lark',
    summary: 'Sign in with Lark, or bind its account when signed in (the message is then bind)',
  },
  oidc: {
    ...callback,
    path: '/api/oauth/oidc',
    summary: 'Sign in with OpenID Connect, or bind its account when signed in (the message is then bind)',
  },
  wechat: {
    ...callback,
    path: '/api/oauth/wechat',
    summary: 'Sign in with the code that the WeChat account has sent',
    query: z.object({ code, aff_code }),
  },
  bindWechat: {
    method: 'GET',
    path: '/api/oauth/wechat/bind',
    access: 'user',
    summary: 'Bind the WeChat account that was sent this code',
    changes: true,
    limit: 'critical',
    proof: 'recent',
    query: z.object({ code }),
    reply: nothing,
  },
  bindEmail: {
    method: 'GET',
    path: '/api/oauth/email/bind',
    access: 'user',
    summary: 'Bind the email address that was sent this code',
    changes: true,
    limit: 'critical',
    proof: 'recent',
    query: z.object({ email: emailAddress, code }),
    reply: nothing,
  },
  unbind: {
    method: 'DELETE',
    path: '/api/oauth/:binding',
    access: 'user',
    summary: 'Take a bound account or address off the own account, unless it is the last way in',
    proof: 'recent',
    params: z.object({ binding: z.enum(bindings) }),
    reply: nothing,
  },
  elsewhere: {
    method: 'GET',
    path: '/api/user/sign_in_elsewhere',
    access: 'root',
    summary: 'Whether mail and other providers may open the own super admin account',
    reply: elsewhere,
  },
  allowElsewhere: {
    method: 'PUT',
    path: '/api/user/sign_in_elsewhere',
    access: 'root',
    summary: 'Let mail and other providers open the own super admin account, or not',
    proof: 'recent',
    body: elsewhere,
    reply: nothing,
  },
} as const satisfies EndpointTable;
