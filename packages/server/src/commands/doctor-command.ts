import type { InspectedSettings } from '../config.ts';
import type { Database } from '../platform/db/database.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { SecretBox } from '../platform/secrets/secret-box.ts';
import { verifyKeyReadOnly } from '../platform/secrets/secret-check-repository.ts';
import { type DoctorReport, runChecks } from './doctor/run-checks.ts';

export const runDoctor = (settings: InspectedSettings): Promise<DoctorReport> => runChecks(settings, opens);

async function opens(database: Database, key: string): Promise<boolean> {
  try {
    await verifyKeyReadOnly(database, new SecretBox(key));
    return true;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return false;
  }
}
