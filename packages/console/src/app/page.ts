import { type Access, isAdmin, isRoot, type SignedInUser } from '@headgate/contract';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { TextKey } from '../i18n/translate.ts';
import type { MenuCondition } from './menu-conditions.ts';

/** Menu groups in display order; groups without a label have no heading. */
export const menuGroups = ['start', 'gateway', 'insights', 'people', 'settings'] as const;
export type MenuGroup = (typeof menuGroups)[number];

export const menuGroupLabels: Readonly<Partial<Record<MenuGroup, TextKey>>> = {
  gateway: 'Gateway',
  insights: 'Insights',
  people: 'People',
  settings: 'Settings',
};

/** For admins, the pages of a section share one menu entry and are tabs of each other. */
export const sectionLabels = {
  models: undefined,
  playground: undefined,
  usage: undefined,
  monitoring: 'Monitoring',
  users: undefined,
  billing: 'Billing',
} as const satisfies Readonly<Record<string, TextKey | undefined>>;
type Section = keyof typeof sectionLabels;

export interface MenuEntry {
  readonly label: TextKey;
  readonly icon: TablerIcon;
  readonly group: MenuGroup;
  /** The first page of a section that the user may open is its menu entry. */
  readonly section?: Section;
  /** Opens the page when pressed after `g`. */
  readonly key?: string;
  /** Absent: shown to everyone who may open the page. */
  readonly when?: MenuCondition;
}

const accessRules: Readonly<Record<Access, (user: SignedInUser | undefined) => boolean>> = {
  visitor: () => true,
  user: (user) => user !== undefined,
  admin: isAdmin,
  root: isRoot,
};

export const canOpen = (access: Access, user: SignedInUser | undefined): boolean => accessRules[access](user);

/** A page of the console. Router, access guard and menu are derived from these rows. */
export interface Page {
  /** Path with `:name` for parameters. */
  readonly path: string;
  /** Visitors are redirected to login; users without the role see an error. */
  readonly access: Access;
  readonly load: () => Promise<ComponentType>;
  readonly menu?: MenuEntry;
  /** Document title, if it differs from the menu label. */
  readonly title?: TextKey;
  /** Path of the highlighted menu entry, if it is not a prefix of this path. */
  readonly menuPath?: string;
  /** True if the initial translations are sufficient: sign-in pages and lists. */
  readonly usesInitialTexts?: true;
  /** Centered, without navigation. */
  readonly isBare?: true;
  /** Hides the navigation from visitors, so that the page can be shown to customers. */
  readonly isBareForVisitors?: true;
}

/** Path in the router's syntax. */
export const routePath = (path: string): string => path.replace(/:(\w+)/g, '$$$1');
