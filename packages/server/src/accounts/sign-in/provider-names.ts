import type { LoginProviderName } from '@headgate/contract';
import type { Language } from '../../platform/errors/api-error.ts';

/** Provider names for messages. */
export const providerNames: Readonly<Record<LoginProviderName, Readonly<Record<Language, string>>>> = {
  github: { en: 'GitHub', zh: 'GitHub' },
  lark: { en: 'Lark', zh: '飞书' },
  oidc: { en: 'OpenID Connect', zh: 'OpenID Connect' },
  wechat: { en: 'WeChat', zh: '微信' },
};
