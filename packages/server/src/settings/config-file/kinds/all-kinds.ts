import { aliasKind } from './alias-kind.ts';
import { budgetKind } from './budget-kind.ts';
import { channelKind } from './channel-kind.ts';
import { groupKind } from './group-kind.ts';
import type { Kind } from './kind.ts';
import { limitKind } from './limit-kind.ts';
import { modelKind } from './model-kind.ts';
import { optionKind } from './option-kind.ts';
import { routingKind } from './routing-kind.ts';
import { userKind } from './user-kind.ts';

/** In the order in which they are made: what others refer to comes first. They are deleted the other way round. */
export const allKinds: readonly Kind[] = [
  optionKind,
  groupKind,
  modelKind,
  channelKind,
  userKind,
  aliasKind,
  routingKind,
  limitKind,
  budgetKind,
];
