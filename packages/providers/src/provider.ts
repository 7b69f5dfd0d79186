/** Everything the gateway knows of one kind of upstream. */
export interface Provider {
  /** Empty when the admin must supply one. */
  readonly baseUrl: string;
  /** It speaks OpenAI's own dialect: requests and answers pass as they are. Absent: it cannot be relayed to yet. */
  readonly dialect?: 'openai';
  /** The models it is known to offer, in the order to propose them. */
  readonly models: readonly string[];
}
