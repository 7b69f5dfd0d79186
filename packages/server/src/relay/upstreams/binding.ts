/** Channels to which a token is bound. */
export interface Binding {
  readonly channels: ReadonlySet<number>;
  readonly tags: ReadonlySet<string>;
}
