import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { updateQuery } from '../page/address.ts';

/** Runs the action in the `do` parameter of the URL once, as soon as the page is ready. */
export function useUrlAction(isReady: boolean, carryOut: (name: string) => void): void {
  const { do: name } = useSearch({ strict: false }) as { do?: string };
  const navigate = useNavigate();
  const onReady = useEffectEvent((wanted: string) => {
    carryOut(wanted);
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, do: undefined })), replace: true });
  });
  useEffect(() => {
    if (isReady && name !== undefined) onReady(name);
  }, [isReady, name]);
}
