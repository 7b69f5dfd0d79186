import { type SignedInUser, secondFactorMessage } from '@headgate/contract';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { translate } from '../../i18n/translate.ts';
import { historyState } from '../page/address.ts';
import { showMessage } from '../page/messages.ts';
import { storeUser } from './session.ts';

interface LoginResult {
  readonly message: string;
  readonly ticket?: string | undefined;
  readonly data: SignedInUser | undefined;
}

/** Final step of every sign-in: stores the user and continues, or requests a second factor on the login page. */
export function useLoginResult() {
  const navigate = useNavigate();
  const router = useRouter();
  return async ({ message, ticket, data }: LoginResult, goOn: () => Promise<void>): Promise<void> => {
    if (message === secondFactorMessage) {
      const state = { ...router.state.location.state, ticket };
      await navigate({ to: '/login', state: historyState(state), replace: true });
      return;
    }
    if (data) storeUser(data);
    showMessage('success', translate('Login successful!'));
    await goOn();
  };
}

/** Ticket of a sign-in that is waiting for its second factor. */
export function ticketOf(state: unknown): string | undefined {
  const ticket = typeof state === 'object' && state !== null && 'ticket' in state ? state.ticket : undefined;
  return typeof ticket === 'string' ? ticket : undefined;
}
