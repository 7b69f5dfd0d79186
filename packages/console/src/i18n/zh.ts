import { exportMessages } from '@headgate/contract';
import { channelTypes } from './zh/first/channel-types.ts';
import { channels } from './zh/first/channels.ts';
import { common } from './zh/first/common.ts';
import { forms } from './zh/first/forms.ts';
import { frame } from './zh/first/frame.ts';
import { lists } from './zh/first/lists.ts';
import { logs } from './zh/first/logs.ts';
import { prices } from './zh/first/prices.ts';
import { signIn } from './zh/first/sign-in.ts';
import { tokens } from './zh/first/tokens.ts';
import { users } from './zh/first/users.ts';

/** Initial table of Simplified Chinese, by English text: sign-in, frame and lists. */
export const zh = {
  ...exportMessages,
  ...channelTypes,
  ...channels,
  ...common,
  ...forms,
  ...frame,
  ...lists,
  ...logs,
  ...prices,
  ...signIn,
  ...tokens,
  ...users,
} as const;
