import { scimPath } from '@headgate/contract';
import type { GroupWithMembers } from './directory-group-service.ts';
import type { DirectoryUserRow } from './directory-user-repository.ts';

const urn = 'urn:ietf:params:scim';
const coreSchema = (name: string) => `${urn}:schemas:core:2.0:${name}`;

/** Resources of one page. */
export const maxScimPage = 200;
export const defaultScimPage = 100;

interface Page {
  readonly total: number;
  readonly startIndex: number;
  readonly resources: readonly object[];
}

export const listResponse = ({ total, startIndex, resources }: Page): object => ({
  schemas: [`${urn}:api:messages:2.0:ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

const time = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** `base` is the URL of the SCIM API. */
export function userResource(row: DirectoryUserRow, base: string): object {
  const { display_name, given_name, family_name, email, external_id } = row;
  const hasName = given_name !== '' || family_name !== '';
  return {
    schemas: [coreSchema('User')],
    id: String(row.id),
    ...(external_id !== '' && { externalId: external_id }),
    userName: row.user_name,
    ...(hasName && { name: { givenName: given_name, familyName: family_name } }),
    ...(display_name !== '' && { displayName: display_name }),
    ...(email !== '' && { emails: [{ value: email, type: 'work', primary: true }] }),
    active: row.is_active === 1,
    meta: metaOf('User', row, base),
  };
}

export const groupResource = ({ group, members }: GroupWithMembers, base: string): object => ({
  schemas: [coreSchema('Group')],
  id: String(group.id),
  ...(group.external_id !== '' && { externalId: group.external_id }),
  displayName: group.name,
  members: members.map(({ id, user_name }) => ({
    value: String(id),
    display: user_name,
    type: 'User',
    $ref: `${base}/Users/${id}`,
  })),
  meta: metaOf('Group', group, base),
});

interface Times {
  readonly id: number;
  readonly created_time: number;
  readonly updated_time: number;
}

const metaOf = (resourceType: 'User' | 'Group', { id, created_time, updated_time }: Times, base: string): object => ({
  resourceType,
  created: time(created_time),
  lastModified: time(updated_time),
  location: `${base}/${resourceType}s/${id}`,
});

/** Attributes that are always returned, even if the client excludes them. */
const alwaysReturned: ReadonlySet<string> = new Set(['schemas', 'id']);

/** Top-level attributes requested by the client. */
export function selectAttributes(resource: object, query: Readonly<Record<string, unknown>>): object {
  const named = (value: unknown) =>
    typeof value === 'string' ? value.split(',').map((name) => name.trim().toLowerCase().split('.')[0] ?? '') : [];
  const [wanted, excluded] = [named(query['attributes']), named(query['excludedAttributes'])];
  const isReturned = (name: string) =>
    alwaysReturned.has(name) ||
    ((wanted.length === 0 || wanted.includes(name.toLowerCase())) && !excluded.includes(name.toLowerCase()));
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isReturned(name)));
}

export const serviceProviderConfig = (base: string): object => ({
  schemas: [coreSchema('ServiceProviderConfig')],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxScimPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A SCIM token of the organization in the Authorization header.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string): readonly (object & { readonly id: string })[] =>
  (['User', 'Group'] as const).map((name) => ({
    schemas: [coreSchema('ResourceType')],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: name === 'User' ? 'A member of the organization.' : 'A group of members.',
    schema: coreSchema(name),
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

interface Attribute {
  readonly name: string;
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly description: string;
  readonly required?: boolean;
  readonly multiValued?: boolean;
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly Attribute[];
}

const attributeOf = ({ subAttributes, ...attribute }: Attribute): object => ({
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...attribute,
  ...(subAttributes && { subAttributes: subAttributes.map(attributeOf) }),
});

const attributes: Readonly<Record<'User' | 'Group', readonly Attribute[]>> = {
  User: [
    { name: 'userName', description: 'Unique name at the directory.', required: true, uniqueness: 'server' },
    { name: 'displayName', description: 'Display name.' },
    {
      name: 'name',
      type: 'complex',
      description: 'Parts of the name.',
      subAttributes: [
        { name: 'givenName', description: 'Given name.' },
        { name: 'familyName', description: 'Family name.' },
      ],
    },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'Email addresses; the primary one is stored.',
      subAttributes: [
        { name: 'value', description: 'Address.' },
        { name: 'type', description: 'Type, such as work.' },
        { name: 'primary', type: 'boolean', description: 'Whether it is the primary address.' },
      ],
    },
    { name: 'active', type: 'boolean', description: 'Whether the user has access to the organization.' },
  ],
  Group: [
    { name: 'displayName', description: 'Unique name.', required: true, uniqueness: 'server' },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'Users of the group.',
      subAttributes: [
        { name: 'value', description: 'ID of the user.' },
        { name: '$ref', type: 'reference', description: 'URL of the user.' },
        { name: 'display', description: 'Name of the user.' },
      ],
    },
  ],
};

export const schemas = (base: string): readonly (object & { readonly id: string })[] =>
  (['User', 'Group'] as const).map((name) => ({
    schemas: [coreSchema('Schema')],
    id: coreSchema(name),
    name,
    description: name === 'User' ? 'User account' : 'Group',
    attributes: attributes[name].map(attributeOf),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${coreSchema(name)}` },
  }));

/** URL of the SCIM API as the client called it. */
export const scimBase = (origin: string): string => `${origin}${scimPath}`;
