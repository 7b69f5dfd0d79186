import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../../deploy/terraform');
const text = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** Settings of a block, as written in the file: `name = "text"`, `name = true` and `name = ["text"]`. */
function settingsOf(block: string): Readonly<Record<string, string>> {
  const lines = block.matchAll(/^\s*([\w-]+)\s*= (?:"([^"]*)"|(true|false|\[.*\]))$/gm);
  return Object.fromEntries([...lines].map(([, name = '', quoted, other]) => [name, quoted ?? other ?? '']));
}

/** Block of a file that starts with a line, up to its closing brace. */
function blockOf(file: string, start: string): string {
  const [, rest] = text(file).split(`${start} {\n`);
  if (rest === undefined) throw new Error(`${file} has no ${start}.`);
  return rest.split('\n}\n', 1)[0] ?? '';
}

/** Fields of `data = jsonencode({ … })`. */
export function dataFieldsOf(resource: string): readonly string[] {
  const [, data = ''] = /jsonencode\(\{\n([\s\S]*?)\n {2}\}\)/.exec(blockOf('main.tf', resource)) ?? [];
  return [...data.matchAll(/^\s*(\w+)\s*=/gm)].map(([, name = '']) => name);
}

type Json = Readonly<Record<string, unknown>>;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
}

/** Error of a call with a status other than 2xx, as the provider reports it. */
class ProviderError extends Error {
  readonly status: number;
  constructor(status: number, body: string) {
    super(`unexpected response code '${status}': ${body}`);
    this.status = status;
  }
}

/**
 * Makes the HTTP calls of Mastercard/restapi 3 for one `restapi_object` of `deploy/terraform/main.tf`: methods, paths,
 * headers, where the id comes from, and which responses count as absent or as drift.
 */
export class TerraformObject {
  id = '';
  createResponse = '';
  readonly calls: string[] = [];
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #settings: Readonly<Record<string, string>>;
  data: Json;

  constructor(resource: string, data: Json, { url, accessToken }: { url: string; accessToken: string }) {
    const provider = blockOf('versions.tf', 'provider "restapi"');
    const { Authorization, uri, ...given } = settingsOf(provider);
    this.#url = url;
    this.#headers = {
      ...settingsOf(provider.split('headers = {')[1] ?? ''),
      Authorization: (Authorization ?? '').replace(/\$\{.*\}/, accessToken),
    };
    this.#settings = { ...given, ...settingsOf(blockOf('main.tf', resource)) };
    this.data = data;
  }

  async create(): Promise<void> {
    // An id in the data is known before the call.
    this.id = String(this.data[this.#setting('id_attribute')] ?? '');
    const body = await this.#send({
      method: this.#setting('create_method', 'POST'),
      path: this.#setting('path'),
      body: this.data,
    });
    this.createResponse = JSON.stringify(body);
    this.id ||= String((body as Json)[this.#setting('id_attribute')] ?? '');
    if (this.id === '') throw new Error('internal validation failed; object ID is not set');
  }

  /** Fields that differ from the configuration; undefined if the object is absent. */
  async read(): Promise<readonly string[] | undefined> {
    const found = this.#settings['search_key'] === undefined ? await this.#readById() : await this.#search();
    if (found === undefined) return undefined;
    const ignored = JSON.parse(this.#setting('ignore_changes_to', '[]')) as readonly string[];
    const names = new Set(
      this.#settings['ignore_server_additions'] === 'true'
        ? Object.keys(this.data)
        : [...Object.keys(this.data), ...Object.keys(found)],
    );
    return [...names].filter((name) => !ignored.includes(name) && this.data[name] !== found[name]);
  }

  /** Reads the object afterwards, because `write_returns_object` is not set. */
  async update(data: Json): Promise<readonly string[] | undefined> {
    this.data = data;
    await this.#send({ method: 'PUT', path: this.#path('update_path'), body: data });
    return this.read();
  }

  async destroy(): Promise<void> {
    const call = { method: this.#setting('destroy_method', 'DELETE'), path: this.#path('destroy_path') };
    await this.#send(call).catch(ignoreAbsent);
  }

  async #readById(): Promise<Json | undefined> {
    return (await this.#send({ method: 'GET', path: this.#path('read_path') }).catch(ignoreAbsent)) as Json | undefined;
  }

  async #search(): Promise<Json | undefined> {
    const rows = (await this.#send({ method: 'GET', path: this.#setting('path') })) as readonly Json[];
    const value = this.#setting('search_value').replace('{id}', this.id);
    return rows.find((row) => row[this.#setting('search_key')] === value);
  }

  #setting(name: string, otherwise = ''): string {
    return this.#settings[name] ?? otherwise;
  }

  #path(name: string): string {
    return this.#setting(name, `${this.#setting('path')}/{id}`).replace('{id}', this.id);
  }

  async #send({ method, path, body }: Call): Promise<unknown> {
    this.calls.push(`${method} ${path}`);
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...this.#headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const reply = await response.text();
    if (!response.ok) throw new ProviderError(response.status, reply);
    return JSON.parse(reply);
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (error instanceof ProviderError && error.status === 404) return undefined;
  throw error;
}
