import type { ReceiverKind } from '@headgate/contract';
import { dingtalk, discord, lark, slack, telegram, wecom } from './chat-receivers.ts';
import { email, ntfy, pusher, webhook } from './push-receivers.ts';
import type { ReceiverWire } from './receiver-wire.ts';

/** Protocol of each kind of destination; nothing else depends on the kind. */
export const receiverWires: Readonly<Record<ReceiverKind, ReceiverWire>> = {
  email,
  webhook,
  lark,
  dingtalk,
  wecom,
  slack,
  discord,
  telegram,
  ntfy,
  pusher,
};
