import { describe } from 'vitest';
import { describeKilledImports } from '../../testing/commands/killed-imports.ts';

const marks = 'insert into "imported_rows"';
const move = 'update "meta"';

describe('a killed import has stored a step completely or not at all, at any time of the kill', () =>
  describeKilledImports({
    first: [['create table tokens'], ['insert into "users"']],
    within: [
      ['update "users"'],
      ['insert into "users"'],
      ['insert into "tokens"'],
      ['insert into "channels"', 'insert into "channels"'],
      ['insert into "channel_keys"'],
      ['insert into "referral_shares"'],
      ['insert into "user_plans"'],
      ['insert into "budget_periods"'],
      ['insert into "orders"'],
      ['insert into "options"', 'insert into "options"'],
      [marks, marks, marks],
      [marks, 'commit'],
    ],
    behind: [[marks, 'commit', ''], [move], [move, 'commit'], [move, 'commit', ''], [move, 'commit', move, 'logs']],
  }));
