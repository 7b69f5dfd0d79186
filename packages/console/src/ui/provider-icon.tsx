import type { LoginProviderName } from '@headgate/contract';
import { IconBrandGithub, IconBrandWechat, IconSend, IconShieldLock, type TablerIcon } from '@tabler/icons-react';

const icons: Readonly<Record<LoginProviderName, TablerIcon>> = {
  github: IconBrandGithub,
  lark: IconSend,
  oidc: IconShieldLock,
  wechat: IconBrandWechat,
};

export function ProviderIcon({ provider }: { readonly provider: LoginProviderName }) {
  const Icon = icons[provider];
  return <Icon size={18} stroke={1.75} aria-hidden />;
}
