import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { queryChange } from '../page/address.ts';

/** What a link wants to be done on the page it leads to (`do` in its address): once, as soon as that can be. */
export function useAskedFor(isReady: boolean, carryOut: (name: string) => void): void {
  const { do: name } = useSearch({ strict: false }) as { do?: string };
  const navigate = useNavigate();
  const onReady = useEffectEvent((wanted: string) => {
    carryOut(wanted);
    void navigate({ to: '.', search: queryChange((before) => ({ ...before, do: undefined })), replace: true });
  });
  useEffect(() => {
    if (isReady && name !== undefined) onReady(name);
  }, [isReady, name]);
}
