import { specification } from './check-ids/check-lists.ts';
import { printCoverage } from './check-ids/print-coverage.ts';

printCoverage(specification);
