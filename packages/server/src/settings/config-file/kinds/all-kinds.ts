import { alertKind } from './alert-kind.ts';
import { aliasKind } from './alias-kind.ts';
import { budgetKind } from './budget-kind.ts';
import { channelKind } from './channel-kind.ts';
import { destinationKind } from './destination-kind.ts';
import { groupKind } from './group-kind.ts';
import { limitKind } from './limit-kind.ts';
import { logExportKind } from './log-export-kind.ts';
import { modelKind } from './model-kind.ts';
import type { ObjectKind } from './object-kind.ts';
import { optionKind } from './option-kind.ts';
import { organizationKind } from './organization-kind.ts';
import { planKind } from './plan-kind.ts';
import { projectKind } from './project-kind.ts';
import { routingKind } from './routing-kind.ts';
import { tokenKind } from './token-kind.ts';
import { userKind } from './user-kind.ts';

/** In order of creation: referenced kinds come first. Deleted in reverse order. */
export const allKinds: readonly ObjectKind[] = [
  optionKind,
  groupKind,
  modelKind,
  channelKind,
  userKind,
  organizationKind,
  projectKind,
  tokenKind,
  aliasKind,
  routingKind,
  limitKind,
  budgetKind,
  planKind,
  destinationKind,
  alertKind,
  logExportKind,
];
