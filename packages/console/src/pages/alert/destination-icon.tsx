import type { DestinationKind } from '@headgate/contract';
import {
  IconBell,
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTelegram,
  IconBrandWechat,
  IconMail,
  IconMessage,
  IconMessageBolt,
  IconSend,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import styles from './alert.module.css';

const icons: Readonly<Record<DestinationKind, TablerIcon>> = {
  email: IconMail,
  webhook: IconWebhook,
  lark: IconSend,
  dingtalk: IconMessageBolt,
  wecom: IconBrandWechat,
  slack: IconBrandSlack,
  discord: IconBrandDiscord,
  telegram: IconBrandTelegram,
  ntfy: IconBell,
  pusher: IconMessage,
};

/** Icon of a destination kind. Decorative, next to its name. */
export function DestinationIcon({ kind }: { readonly kind: DestinationKind }) {
  const Icon = icons[kind];
  return (
    <span className={styles['mark']} aria-hidden>
      <Icon size={18} stroke={1.6} />
    </span>
  );
}
