import { userApi } from '@headgate/contract';
import { call } from '../../lib/api/call.ts';

/** Returns the added quota. */
export const redeemCode = (key: string) => call(userApi.redeem, { body: { key } });
