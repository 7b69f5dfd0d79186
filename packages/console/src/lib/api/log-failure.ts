/** Writes every failure to the browser's log once: also of a call that is made again, or that nobody is told of. */
export function logged<Failure>(failure: Failure): Failure {
  console.error(failure);
  return failure;
}
