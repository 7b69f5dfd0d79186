import { type RefObject, useEffect } from 'react';
import { useBotCheck } from '../../ui/bot-check.tsx';

/** Returns a single-use token. Without one, shows a message and returns undefined. */
export type TokenSource = () => string | undefined;

/** Bot check on the login form, rarely shown. `taker` receives the function that returns a token. */
export function LoginBotCheck({ taker }: { readonly taker: RefObject<TokenSource | undefined> }) {
  const { widget, take } = useBotCheck();
  useEffect(() => {
    taker.current = take;
  });
  return widget;
}
