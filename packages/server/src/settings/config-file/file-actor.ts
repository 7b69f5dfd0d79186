import { automaticActor } from '../../accounts/users/automatic-actor.ts';

/** Actor of the changes of the configuration file. */
export const fileActor = automaticActor('@headgate.yaml');
