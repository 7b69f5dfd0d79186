import { attacks } from './check-ids/check-lists.ts';
import { printCoverage } from './check-ids/print-coverage.ts';

printCoverage(attacks);
