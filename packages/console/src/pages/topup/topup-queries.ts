import { userApi } from '@headgate/contract';
import { call } from '../../lib/api/call.ts';

/** Gives the quota that was added. */
export const redeemCode = (key: string) => call(userApi.redeem, { body: { key } });
