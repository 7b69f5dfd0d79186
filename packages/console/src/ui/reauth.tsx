import { type ReauthMethod, sessionApi } from '@headgate/contract';
import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { call } from '../lib/api/call.ts';
import { CallFailure } from '../lib/api/failure.ts';
import { useStatus } from '../lib/page/status.ts';

const Dialog = lazy(() => import('./reauth-dialog.tsx').then(({ ReauthDialog }) => ({ default: ReauthDialog })));

interface ProvedAction {
  readonly by: ReauthMethod;
  readonly go: () => void;
}

interface ProofControl {
  /** Runs the action, after a new proof of identity if the last one is too old. */
  readonly run: (go: () => void) => void;
  readonly isAsking: boolean;
  readonly dialog: ReactNode;
}

const isSessionOver = (error: unknown) => error instanceof CallFailure && error.status === 401;

interface ProofOptions {
  /** True if the action only reveals confidential data and changes nothing. */
  readonly isForReading?: boolean;
  /** Called if the proof was cancelled. */
  readonly onCancelled?: () => void;
}

/**
 * Requires a recent proof of identity before actions that an unattended browser must not allow: adding a sign-in
 * method or reading payloads.
 */
export function useReauth({ isForReading = false, onCancelled }: ProofOptions = {}): ProofControl {
  const [action, setAction] = useState<ProvedAction>();
  const { extensions } = useStatus();
  const ask = useMutation({
    mutationFn: (_: () => void) => call(sessionApi.proof, {}),
    onSuccess: ({ isNeeded, by }, go) => (isNeeded ? setAction({ by, go }) : go()),
    // Servers without this extension run the action directly, or reject it.
    onError: (error, go) => isSessionOver(error) || go(),
    meta: { quiet: true },
  });
  const close = () => setAction(undefined);
  return {
    run: (go) => (extensions ? ask.mutate(go) : go()),
    isAsking: ask.isPending,
    dialog: action && (
      <Suspense>
        <Dialog
          by={action.by}
          isForReading={isForReading}
          onClose={() => {
            close();
            onCancelled?.();
          }}
          onProved={() => {
            close();
            action.go();
          }}
        />
      </Suspense>
    ),
  };
}
