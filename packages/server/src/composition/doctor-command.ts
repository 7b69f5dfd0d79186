import type { GivenSettings } from '../config.ts';
import type { Database } from '../db/database.ts';
import { type Examination, examine } from '../doctor/examine.ts';
import { SecretBox } from '../secrets/secret-box.ts';
import { checkGivenKey } from '../secrets/secret-check-repository.ts';
import { StartFailure } from '../start-failure.ts';

export const runDoctor = (settings: GivenSettings): Promise<Examination> => examine(settings, opens);

async function opens(database: Database, key: string): Promise<boolean> {
  try {
    await checkGivenKey(database, new SecretBox(key));
    return true;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return false;
  }
}
