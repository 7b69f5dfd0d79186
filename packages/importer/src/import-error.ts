/** Fatal import error, as one sentence for the operator. Contains no passwords and no row contents. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
