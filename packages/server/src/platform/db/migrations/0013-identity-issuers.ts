import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText } from './columns.ts';

const discovery = '/.well-known/openid-configuration';

const providers = [
  { identity: 'oidc_id', issuer: 'oidc_issuer', option: 'OidcWellKnown' },
  { identity: 'wechat_id', issuer: 'wechat_issuer', option: 'WeChatServerAddress' },
] as const;

/** Identities that are there belong to whom the sign-in asks now; without an address they open nothing until bound again. */
export const identityIssuers: Migration = {
  async up(database) {
    for (const { identity, issuer, option } of providers) {
      await database.schema.alterTable('users').addColumn(issuer, 'text', emptyText).execute();
      const { rows } = await sql<{ value: string }>`select value from options where key = ${option}`.execute(database);
      const address = issuerIn(rows[0]?.value ?? '');
      await sql`update users set ${sql.ref(issuer)} = ${address} where ${sql.ref(identity)} is not null`.execute(
        database,
      );
      await database.schema.dropIndex(`users_${identity}`).execute();
      const index = database.schema.createIndex(`users_${identity}`).on('users').columns([identity, issuer]);
      await index.unique().execute();
    }
  },
};

/** An address may have been written by hand, so with slashes at its end. */
function issuerIn(address: string): string {
  const plain = withoutSlashes(address.trim());
  return plain.endsWith(discovery) ? withoutSlashes(plain.slice(0, -discovery.length)) : plain;
}

function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}
