/** Why an import cannot go on, as one sentence for the operator. Holds no password and no contents of rows. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
