/** A response that the gateway stores itself, sealed together with the other columns. */
export interface StoredResponseTable {
  user_id: number;
  response_id: string;
  created_time: number;
  /** Size of the JSON before compression. */
  input_bytes: number;
  answer_bytes: number;
  /** Total size of both sealed columns. */
  stored_bytes: number;
  input_sealed: Uint8Array;
  answer_sealed: Uint8Array;
}

/** Maps an output item to its response. */
export interface StoredResponseItemTable {
  user_id: number;
  item_id: string;
  response_id: string;
  created_time: number;
}
