/** Channels that a token is bound to. */
export interface Binding {
  readonly channels: ReadonlySet<number>;
  readonly tags: ReadonlySet<string>;
}
