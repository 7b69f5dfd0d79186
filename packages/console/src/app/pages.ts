import { IconHome, IconInfoCircle } from '@tabler/icons-react';
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
    path: '/user/edit',
    access: 'user',
    load: async () => (await import('../pages/user/profile-page.tsx')).ProfilePage,
  },
  {
    path: '/about',
    access: 'visitor',
    menu: { words: 'About', icon: IconInfoCircle, group: 'end' },
    load: async () => (await import('../pages/about/about-page.tsx')).AboutPage,
  },
];
