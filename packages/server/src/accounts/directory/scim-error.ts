export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** An error response of the SCIM API (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidScimRequest = (scimType: ScimType, detail: string): ScimError =>
  new ScimError(400, detail, scimType);

export const errorBody = (status: number, detail: string, scimType?: ScimType): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail,
});
