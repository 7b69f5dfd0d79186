/** Logs each failure to the browser console once, even if the call is retried or the failure is not shown. */
export function logFailure<Failure>(failure: Failure): Failure {
  console.error(failure);
  return failure;
}
