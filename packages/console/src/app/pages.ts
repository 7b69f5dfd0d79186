import {
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessage,
  IconRoute,
  IconSettings,
  IconTicket,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import type { Page } from './page.ts';

/** Every page: address, who may open it, menu entry, code. */
export const pages: readonly Page[] = [
  {
    path: '/',
    access: 'visitor',
    menu: { words: 'Home', icon: IconHome, group: 'start' },
    load: async () => (await import('../pages/home/home-page.tsx')).HomePage,
  },
  {
    path: '/login',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/login/login-page.tsx')).LoginPage,
  },
  {
    path: '/register',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/register/register-page.tsx')).RegisterPage,
  },
  {
    path: '/reset',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/reset/reset-request-page.tsx')).ResetRequestPage,
  },
  {
    path: '/user/reset',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/reset/reset-confirm-page.tsx')).ResetConfirmPage,
  },
  {
    path: '/oauth/github',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).GithubPage,
  },
  {
    path: '/oauth/lark',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).LarkPage,
  },
  {
    path: '/oauth/oidc',
    access: 'visitor',
    bare: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).OidcPage,
  },
  {
    path: '/token',
    access: 'user',
    menu: { words: 'Tokens', icon: IconKey, group: 'use' },
    load: async () => (await import('../pages/token/token-list-page.tsx')).TokenListPage,
  },
  {
    path: '/token/add',
    access: 'user',
    load: async () => (await import('../pages/token/token-form-page.tsx')).TokenAddPage,
  },
  {
    path: '/token/edit/:id',
    access: 'user',
    load: async () => (await import('../pages/token/token-form-page.tsx')).TokenEditPage,
  },
  {
    path: '/topup',
    access: 'user',
    menu: { words: 'Top-up', icon: IconWallet, group: 'use' },
    load: async () => (await import('../pages/topup/topup-page.tsx')).TopUpPage,
  },
  {
    path: '/log',
    access: 'user',
    menu: { words: 'Logs', icon: IconListDetails, group: 'use' },
    load: async () => (await import('../pages/log/log-list-page.tsx')).LogListPage,
  },
  {
    path: '/chat',
    access: 'visitor',
    menu: { words: 'Chat', icon: IconMessage, group: 'use', when: ({ chat_link }) => chat_link !== '' },
    load: async () => (await import('../pages/chat/chat-page.tsx')).ChatPage,
  },
  {
    path: '/channel',
    access: 'admin',
    menu: { words: 'Channels', icon: IconRoute, group: 'run' },
    load: async () => (await import('../pages/channel/channel-list-page.tsx')).ChannelListPage,
  },
  {
    path: '/channel/add',
    access: 'admin',
    load: async () => (await import('../pages/channel/channel-form-page.tsx')).ChannelAddPage,
  },
  {
    path: '/channel/edit/:id',
    access: 'admin',
    load: async () => (await import('../pages/channel/channel-form-page.tsx')).ChannelEditPage,
  },
  {
    path: '/redemption',
    access: 'admin',
    menu: { words: 'Redemption codes', icon: IconTicket, group: 'run' },
    load: async () => (await import('../pages/redemption/redemption-list-page.tsx')).RedemptionListPage,
  },
  {
    path: '/redemption/add',
    access: 'admin',
    load: async () => (await import('../pages/redemption/redemption-form-page.tsx')).RedemptionAddPage,
  },
  {
    path: '/redemption/edit/:id',
    access: 'admin',
    load: async () => (await import('../pages/redemption/redemption-form-page.tsx')).RedemptionEditPage,
  },
  {
    path: '/user',
    access: 'admin',
    menu: { words: 'Users', icon: IconUsers, group: 'run' },
    load: async () => (await import('../pages/user/user-list-page.tsx')).UserListPage,
  },
  {
    path: '/user/add',
    access: 'admin',
    load: async () => (await import('../pages/user/user-form-page.tsx')).UserAddPage,
  },
  {
    path: '/user/edit/:id',
    access: 'admin',
    load: async () => (await import('../pages/user/user-form-page.tsx')).UserEditPage,
  },
  {
    path: '/user/edit',
    access: 'user',
    menuOf: '/setting',
    load: async () => (await import('../pages/user/profile-page.tsx')).ProfilePage,
  },
  {
    path: '/setting',
    access: 'user',
    menu: { words: 'Settings', icon: IconSettings, group: 'end' },
    load: async () => (await import('../pages/setting/setting-page.tsx')).SettingPage,
  },
  {
    path: '/about',
    access: 'visitor',
    menu: { words: 'About', icon: IconInfoCircle, group: 'end' },
    load: async () => (await import('../pages/about/about-page.tsx')).AboutPage,
  },
];
