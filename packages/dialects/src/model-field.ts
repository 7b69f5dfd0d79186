/** Name of the model field, in every dialect whose bodies have one. */
export const modelField = 'model';
