import { expect, test } from 'vitest';
import { mysqlAddress } from './mysql-address.ts';

test('accepts a MySQL address as a URL and as a Go DSN', () => {
  const expected = { host: 'db', port: 3307, user: 'a', password: 'p@ss:/#?', database: 'one' };
  expect(mysqlAddress('a:p@ss:/#?@tcp(db:3307)/one?parseTime=true')).toMatchObject(expected);
  expect(mysqlAddress(`mysql://a:${encodeURIComponent('p@ss:/#?')}@db:3307/one`)).toMatchObject(expected);
  expect(mysqlAddress('a:b@unix(/run/mysqld.sock)/one')).toMatchObject({
    socketPath: '/run/mysqld.sock',
    place: 'MySQL at localhost/one',
  });
  expect(mysqlAddress('a:b@/one')).toMatchObject({ host: 'localhost', port: 3306, user: 'a', password: 'b' });
  expect(mysqlAddress('mysql://a@db/one?tls=true')).toMatchObject({ port: 3306, ssl: { rejectUnauthorized: true } });
});
