import { ssoSignInApi } from '@headgate/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';

interface Start {
  readonly id: number;
  /** Links the provider with the account of the signed-in user. */
  readonly link: boolean;
}

/** Opens the authorization page of an organization's provider. */
export const useSsoStart = () =>
  useMutation({
    mutationFn: ({ id, link }: Start) => call(ssoSignInApi.begin, { params: { id }, body: { link } }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
