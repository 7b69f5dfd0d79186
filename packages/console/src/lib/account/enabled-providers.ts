import type { LoginProviderName, Status } from '@headgate/contract';

/** Sign-in providers that the gateway has enabled. */
export const isProviderEnabled: Readonly<Record<LoginProviderName, (status: Status) => boolean>> = {
  github: ({ github_oauth }) => github_oauth,
  lark: ({ lark_client_id }) => lark_client_id !== '',
  oidc: ({ oidc }) => oidc,
  wechat: ({ wechat_login }) => wechat_login,
};
