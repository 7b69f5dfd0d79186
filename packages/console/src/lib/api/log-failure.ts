/** Logs each failure to the browser console once, even after retries or if no message is shown. */
export function logFailure<Failure>(failure: Failure): Failure {
  console.error(failure);
  return failure;
}
