import type { PayloadRuleKind } from '@headgate/contract';

/** Payload logging rule of a user or a token. */
export interface PayloadRuleTable {
  kind: PayloadRuleKind;
  /** Id of the user or token. */
  owner_id: number;
  /** Id of the user whose requests are stored. */
  user_id: number;
  hours: number;
  kilobytes: number;
  /** 1: set by the user; 0: set by an admin. */
  is_own: number;
  created_time: number;
}

/** Payloads of one request and its response, sealed together with the values of the other columns. */
export interface StoredPayloadTable {
  request_id: string;
  user_id: number;
  token_id: number;
  created_time: number;
  expires_time: number;
  status: number;
  /** Original sizes in bytes. */
  request_bytes: number;
  answer_bytes: number;
  /** Total size of both sealed payloads. */
  stored_bytes: number;
  request_sealed: Uint8Array;
  answer_sealed: Uint8Array;
}
