/** A reason not to start that the person at the keyboard can mend: printed as its one sentence, without a stack. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
