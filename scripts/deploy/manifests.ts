import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';

/** A Kubernetes object. Its fields are checked by the schema, not by types. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind.
  readonly spec: Readonly<Record<string, any>>;
}

export const parseManifests = (text: string): readonly Manifest[] =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'));
    return document.toJS() as Manifest;
  });

/** A custom resource of the Prometheus Operator: the fields that the chart uses. */
const serviceMonitor = {
  type: 'object',
  required: ['selector', 'endpoints'],
  additionalProperties: false,
  properties: {
    selector: { type: 'object', required: ['matchLabels'] },
    endpoints: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['port', 'path'],
        properties: {
          port: { type: 'string' },
          path: { type: 'string' },
          interval: { type: 'string' },
          authorization: {
            type: 'object',
            additionalProperties: false,
            properties: {
              type: { const: 'Bearer' },
              credentials: {
                type: 'object',
                additionalProperties: false,
                required: ['name', 'key'],
                properties: { name: { type: 'string' }, key: { type: 'string' } },
              },
            },
          },
        },
      },
    },
  },
};

interface KubernetesSchema {
  /** Definition of each kind, by `apiVersion kind`. */
  readonly kinds: Readonly<Record<string, string>>;
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, 'kubernetes-schema.json'), 'utf8'),
) as KubernetesSchema;
const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(schema, 'kubernetes');

function validatorOf({ apiVersion, kind }: Manifest): ValidateFunction | undefined {
  if (apiVersion === 'monitoring.coreos.com/v1' && kind === 'ServiceMonitor')
    return ajv.compile({ type: 'object', properties: { spec: serviceMonitor } });
  const schemaFile = schema.kinds[`${apiVersion} ${kind}`];
  return schemaFile === undefined ? undefined : ajv.getSchema(`kubernetes${schemaFile}`);
}

/** Errors for which Kubernetes would reject a manifest: unknown fields, wrong types, missing fields, unknown kinds. */
export function manifestFaults(manifest: Manifest): readonly string[] {
  const validate = validatorOf(manifest);
  const name = `${manifest.kind} ${manifest.metadata.name}`;
  if (!validate) return [`${name}: no schema for ${manifest.apiVersion}`];
  if (validate(manifest)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}
