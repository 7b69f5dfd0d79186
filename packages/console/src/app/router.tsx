import { type Access, isAdmin, isRoot } from '@headgate/contract';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { laterWords } from '../i18n/translate.ts';
import { currentUser, useUser } from '../lib/account/session.ts';
import { returnTo } from '../lib/page/address.ts';
import { useIsStatusPending } from '../lib/page/status.ts';
import { Frame } from './frame.tsx';
import { screenOf } from './lazy-screen.ts';
import { LoadFailed, NotAllowed, NotFound } from './outcomes.tsx';
import { type Page, routePath } from './page.ts';
import { pages } from './pages.ts';

const mayOpen: Readonly<Record<Access, (user: ReturnType<typeof useUser>) => boolean>> = {
  visitor: () => true,
  user: (user) => user !== undefined,
  admin: isAdmin,
  root: isRoot,
};

/** The page for those who may see it; the others are told so instead of shown an empty table. */
function guarded(Screen: ComponentType, access: Access): ComponentType {
  return function GuardedScreen() {
    const isStatusPending = useIsStatusPending();
    const user = useUser();
    // Pages behind the login use the gateway's extensions: without its status they would treat it as one that has none.
    if (isStatusPending && access !== 'visitor') return null;
    return mayOpen[access](user) ? <Screen /> : <NotAllowed />;
  };
}

/** The code of a page and the words that it cannot be read without. */
async function screenWithWords({ load, readsFirstWords }: Page): Promise<ComponentType> {
  const [screen] = await Promise.all([load(), readsFirstWords || laterWords()]);
  return screen;
}

const rootRoute = createRootRoute({ component: Frame, notFoundComponent: NotFound });

function routeOf(page: Page) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path: routePath(page.path),
    component: lazyRouteComponent(async () => ({
      default: guarded(await screenOf(() => screenWithWords(page)), page.access),
    })),
    errorComponent: LoadFailed,
    beforeLoad: ({ location }) => {
      if (page.access === 'visitor' || currentUser()) return;
      throw redirect({ to: '/login', state: returnTo(location.href), replace: true });
    },
  });
}

const routeTree = rootRoute.addChildren(pages.map(routeOf));

export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    // Plain text both ways: a number stays readable in the address.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
      return text && `?${text}`;
    },
    scrollRestoration: true,
  });
