import { type Proof, sessionApi } from '@headgate/contract';
import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { call } from '../lib/api/call.ts';
import { CallFailure } from '../lib/api/failure.ts';
import { useStatus } from '../lib/page/status.ts';

const Dialog = lazy(() => import('./proof-dialog.tsx').then(({ ProofDialog }) => ({ default: ProofDialog })));

interface ProvedAction {
  readonly by: Proof;
  readonly go: () => void;
}

interface ProofFirst {
  /** Does it at once, or after the person has shown who he is when the last proof is too old. */
  readonly first: (go: () => void) => void;
  readonly isAsking: boolean;
  readonly dialog: ReactNode;
}

const isSessionOver = (error: unknown) => error instanceof CallFailure && error.status === 401;

interface ProofOptions {
  /** Nothing is changed: something is shown that was said in confidence. */
  readonly isForReading?: boolean;
  /** Nobody has shown who he is. */
  readonly onCancelled?: () => void;
}

/** Asks for a recent proof before what whoever finds the browser open must not do: make a way in, or read along. */
export function useProof({ isForReading = false, onCancelled }: ProofOptions = {}): ProofFirst {
  const [action, setAction] = useState<ProvedAction>();
  const { extensions } = useStatus();
  const ask = useMutation({
    mutationFn: (_: () => void) => call(sessionApi.proof, {}),
    onSuccess: ({ isNeeded, by }, go) => (isNeeded ? setAction({ by, go }) : go()),
    // An extra of ours: a server without it does what is asked, or says why not.
    onError: (error, go) => isSessionOver(error) || go(),
    meta: { quiet: true },
  });
  const close = () => setAction(undefined);
  return {
    first: (go) => (extensions ? ask.mutate(go) : go()),
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
