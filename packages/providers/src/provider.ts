/** Everything the gateway knows of one kind of upstream. */
export interface Provider {
  /** Empty when the admin must supply one. */
  readonly baseUrl: string;
  /** The models it is known to offer, in the order to propose them. */
  readonly models: readonly string[];
}
