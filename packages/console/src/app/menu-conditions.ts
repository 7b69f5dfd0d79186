import { isAdmin, type SignedInUser, type Status } from '@headgate/contract';

/** Decides whether a menu entry is shown to a user or to a visitor. */
export type MenuCondition = (status: Status, user: SignedInUser | undefined) => boolean;

export const hasChat: MenuCondition = ({ chat_link }) => chat_link !== '';
export const hasStatusPage: MenuCondition = ({ status_page }) => status_page;
export const isAdminOnly: MenuCondition = (_status, user) => isAdmin(user);
