import type { Page } from './page.ts';

/** Login, registration and password reset pages. */
export const signInPages: readonly Page[] = [
  {
    path: '/login',
    access: 'visitor',
    title: 'Log in',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/login/login-page.tsx')).LoginPage,
  },
  {
    path: '/register',
    access: 'visitor',
    title: 'Register',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/register/register-page.tsx')).RegisterPage,
  },
  {
    path: '/reset',
    access: 'visitor',
    title: 'Reset your password',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/reset/reset-request-page.tsx')).ResetRequestPage,
  },
  {
    path: '/user/reset',
    access: 'visitor',
    title: 'Reset your password',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/reset/reset-confirm-page.tsx')).ResetConfirmPage,
  },
  {
    path: '/oauth/github',
    access: 'visitor',
    title: 'Log in',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).GithubPage,
  },
  {
    path: '/oauth/lark',
    access: 'visitor',
    title: 'Log in',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).LarkPage,
  },
  {
    path: '/oauth/oidc',
    access: 'visitor',
    title: 'Log in',
    isBare: true,
    usesInitialTexts: true,
    load: async () => (await import('../pages/oauth/oauth-page.tsx')).OidcPage,
  },
  {
    path: '/oauth/sso/:id',
    access: 'visitor',
    title: 'Log in',
    isBare: true,
    load: async () => (await import('../pages/oauth/sso-page.tsx')).SsoPage,
  },
];
