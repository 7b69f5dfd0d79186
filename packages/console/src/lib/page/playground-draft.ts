/** A request with which the playground is opened. */
export interface PlaygroundDraft {
  /** Empty if the message is not stored. */
  readonly question: string;
  readonly system: string;
  readonly temperature: string;
  readonly topP: string;
  readonly maxTokens: string;
}

/** In memory, because messages do not belong in URLs or the browser's history. */
let draft: PlaygroundDraft | undefined;

export const setPlaygroundDraft = (next: PlaygroundDraft | undefined): void => {
  draft = next;
};

export const playgroundDraft = (): PlaygroundDraft | undefined => draft;
