import type { DestinationKind } from '@headgate/contract';
import { dingtalk, discord, lark, slack, telegram, wecom } from './chat-destinations.ts';
import type { DestinationProtocol } from './destination-protocol.ts';
import { email, ntfy, pusher, webhook } from './push-destinations.ts';

/** Protocol of each kind of destination; no other code depends on the kind. */
export const destinationProtocols: Readonly<Record<DestinationKind, DestinationProtocol>> = {
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
