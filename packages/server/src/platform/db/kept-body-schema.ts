import type { PayloadRuleKind } from '@headgate/contract';

/** That the bodies of a user's requests are kept, or of a token's. */
export interface BodyKeepingTable {
  kind: PayloadRuleKind;
  /** Of the user or the token. */
  owner_id: number;
  /** Whose requests they are. */
  user_id: number;
  hours: number;
  kilobytes: number;
  /** 1: set by the person, else by an admin. */
  is_own: number;
  created_time: number;
}

/** What one request asked and was answered, sealed together with all that the other columns say. */
export interface KeptBodyTable {
  request_id: string;
  user_id: number;
  token_id: number;
  created_time: number;
  expires_time: number;
  status: number;
  /** How long they really were. */
  request_bytes: number;
  answer_bytes: number;
  /** How much room both take here. */
  stored_bytes: number;
  request_sealed: Uint8Array;
  answer_sealed: Uint8Array;
}
