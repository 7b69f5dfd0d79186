import type { ReceiverKind } from '@headgate/contract';
import { dingtalk, discord, lark, slack, telegram, wecom } from './chat-receivers.ts';
import { email, ntfy, pusher, webhook } from './push-receivers.ts';
import type { ReceiverWire } from './receiver-wire.ts';

/** How each kind of receiver is spoken to. Nothing else tells them apart. */
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
