import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';
import { displayNameLength, passwordLength, usernameLength } from './limits.ts';

export const userStatus = { enabled: 1, disabled: 2, deleted: 3 } as const;

export const userStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [userStatus.enabled]: { label: 'Activated', color: 'green' },
  [userStatus.disabled]: { label: 'Banned', color: 'red' },
};

/** A user as every reply shows one: secrets (password, access token) are never part of it. */
export const user = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  lark_id: z.string(),
  oidc_id: z.string(),
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  inviter_id: z.int(),
});
export type User = z.infer<typeof user>;

/** What login answers and the browser keeps. */
export const signedInUser = z.pick(user, { id: true, username: true, display_name: true, role: true, status: true });
export type SignedInUser = z.infer<typeof signedInUser>;

export const username = z.string().check(z.trim(), z.minLength(1), z.maxLength(usernameLength.max));
export const displayName = z.string().check(z.trim(), z.maxLength(displayNameLength.max));
export const password = z.string().check(z.minLength(passwordLength.min), z.maxLength(passwordLength.max));

/** A field left blank stays as it is. */
const unlessBlank = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.union([
      z.pipe(
        z.literal(''),
        z.transform(() => undefined),
      ),
      schema,
    ]),
  );

export const profileUpdate = z.object({
  username: unlessBlank(username),
  display_name: unlessBlank(displayName),
  password: unlessBlank(password),
});

export const userApi = {
  self: { method: 'GET', path: '/api/user/self', access: 'user', summary: 'The signed-in user', reply: user },
  updateSelf: {
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    summary: 'Change the own name or password; blank fields stay as they are',
    body: profileUpdate,
    reply: z.undefined(),
  },
} as const satisfies EndpointTable;
