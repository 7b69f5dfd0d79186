export interface ServerIdentity {
  readonly version: string;
  readonly startTime: number;
  readonly publicUrl: string | undefined;
}
