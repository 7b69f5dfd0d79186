import { describe } from 'vitest';
import { describeKilledImports } from '../../testing/commands/killed-imports.ts';

const marks = 'insert into "imported_rows"';
const move = 'update "meta"';

// Kills the import at sampled points; killed-import.faults.db.test.ts covers all of them.
describe('[A60.3] a killed import has stored a step completely or not at all', () =>
  describeKilledImports({
    first: [['create table tokens']],
    within: [['insert into "channels"', 'insert into "channels"']],
    behind: [
      [marks, 'commit', ''],
      [move, 'commit', move, 'logs'],
    ],
  }));
