import { type RefObject, useEffect } from 'react';
import { useBotCheck } from '../../ui/bot-check.tsx';

/** A token for one call; undefined, and the person is told, while there is none. */
export type TakeToken = () => string | undefined;

/** The bot check of the login, which most people never see; `taker` is given the way to take its tokens. */
export function LoginBotCheck({ taker }: { readonly taker: RefObject<TakeToken | undefined> }) {
  const { widget, take } = useBotCheck();
  useEffect(() => {
    taker.current = take;
  });
  return widget;
}
