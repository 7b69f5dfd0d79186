/** Names the model, in every dialect whose bodies name one. */
export const modelField = 'model';
