import { isObject } from '@headgate/dialects';
import type { SourceRow } from '../source/source.ts';
import { readJsonObject, readText, truncate } from '../source/source-values.ts';
import { litellmProvider } from './litellm-providers.ts';
import { type Decrypt, isProbablyEncrypted } from './litellm-secrets.ts';

export type Json = Readonly<Record<string, unknown>>;

/** An entry of `model_list`, from the configuration file or the database. */
export interface Deployment {
  readonly modelName: string;
  readonly parameters: Json;
  readonly info: Json;
  readonly isBlocked: boolean;
  /** Reason why it cannot be read; empty if it can. */
  readonly fault: string;
  /**
   * True if it may refer to environment variables of this command: entries of the file, and rows that only the owner of
   * the salt key can have written. Otherwise a modified database could send this machine's keys anywhere.
   */
  readonly mayReadEnvironment: boolean;
}

export interface StoredModels {
  readonly models: readonly SourceRow[];
  readonly credentials: readonly SourceRow[];
  readonly decrypt: Decrypt;
}

export function collectDeployments(config: unknown, stored: StoredModels): readonly Deployment[] {
  const fileCredentials = new Map(
    listIn(config, 'credential_list').map((entry) => [
      String(entry['credential_name'] ?? ''),
      { values: objectIn(entry, 'credential_values'), fault: '', isAuthentic: true },
    ]),
  );
  const fromFile = listIn(config, 'model_list').map((entry) =>
    withCredential(
      {
        modelName: String(entry['model_name'] ?? ''),
        parameters: objectIn(entry, 'litellm_params'),
        info: objectIn(entry, 'model_info'),
        isBlocked: false,
        fault: '',
        mayReadEnvironment: true,
      },
      fileCredentials,
    ),
  );
  const credentials = new Map([
    ...fileCredentials,
    ...stored.credentials.map(
      (row) =>
        [
          readText(row, 'credential_name'),
          opened(readJsonObject(row, 'credential_values') ?? {}, stored.decrypt, anyEncrypted),
        ] as const,
    ),
  ]);
  const fromDatabase = stored.models.map((row) => {
    const { values, fault, isAuthentic } = opened(
      readJsonObject(row, 'litellm_params') ?? {},
      stored.decrypt,
      isEncryptedModel,
    );
    const deployment = {
      modelName: readText(row, 'model_name'),
      parameters: values,
      info: readJsonObject(row, 'model_info') ?? {},
      isBlocked: row['blocked'] === true,
      fault,
      mayReadEnvironment: isAuthentic,
    };
    return fault === '' ? withCredential(deployment, credentials) : deployment;
  });
  return [...fromFile, ...fromDatabase];
}

const listIn = (config: unknown, name: string): readonly Json[] => {
  const list = isObject(config) ? config[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
};

const objectIn = (entry: Json, name: string): Json => {
  const value = entry[name];
  return isObject(value) ? value : {};
};

/** Parameters that become fields of a channel. */
const usedParameters = [
  ...['model', 'custom_llm_provider', 'api_key', 'api_base', 'api_version', 'litellm_credential_name'],
] as const;

interface Opened {
  readonly values: Json;
  readonly fault: string;
  /** True if every value that is used was encrypted with the salt key. */
  readonly isAuthentic: boolean;
}

const anyEncrypted = (values: readonly string[]): boolean => values.some(isProbablyEncrypted);

/** LiteLLM encrypts all values of a row or none. Long keys also look encrypted, so the value of `model` decides. */
const isEncryptedModel = (_: readonly string[], { model }: Json): boolean =>
  typeof model === 'string' && isProbablyEncrypted(model) && !litellmProvider(model.split('/', 1)[0] ?? '');

/** Decrypts the parameters of a row. */
function opened(
  given: Json,
  decrypt: Decrypt,
  isEncrypted: (values: readonly string[], given: Json) => boolean,
): Opened {
  const texts = usedParameters.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  const plain = texts.map(([name, value]) => [name, decrypt(value)] as const);
  const isAuthentic = plain.length > 0 && plain.every(([, value]) => value !== undefined);
  const values = { ...given, ...Object.fromEntries(plain.filter(([, value]) => value !== undefined)) };
  if (isAuthentic) return { values, fault: '', isAuthentic };
  const isSealed =
    plain.some(([, value]) => value !== undefined) ||
    isEncrypted(
      texts.map(([, value]) => value),
      given,
    );
  return { values: isSealed ? {} : given, fault: isSealed ? sealedFault : '', isAuthentic: false };
}

const sealedFault =
  'is encrypted: set LITELLM_SALT_KEY, or LITELLM_MASTER_KEY if LiteLLM has no salt key, in the environment of this command';

/** A deployment's parameters take precedence over those of the credential that it names. */
function withCredential(deployment: Deployment, credentials: ReadonlyMap<string, Opened>): Deployment {
  const name = deployment.parameters['litellm_credential_name'];
  if (typeof name !== 'string' || name === '') return deployment;
  const credential = credentials.get(name);
  const label = `credential ${JSON.stringify(truncate(name, 60))}`;
  if (!credential) return { ...deployment, fault: `names ${label}, which does not exist in LiteLLM` };
  return {
    ...deployment,
    parameters: { ...credential.values, ...deployment.parameters },
    fault: credential.fault === '' ? '' : `names ${label}, which ${credential.fault}`,
    mayReadEnvironment: deployment.mayReadEnvironment && credential.isAuthentic,
  };
}

/** Model names by LiteLLM access group. */
export function collectAccessGroups(deployments: readonly Deployment[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { modelName, info } of deployments) {
    const named = Array.isArray(info['access_groups']) ? info['access_groups'] : [];
    for (const group of new Set(named.map(String))) {
      const models = groups.get(group);
      if (models) models.push(modelName);
      else groups.set(group, [modelName]);
    }
  }
  return groups;
}
