import { splitCommas, type subjectApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { namedSubject, type SubjectRepository } from './subject-repository.ts';

export const subjectRoutes = (subjects: SubjectRepository, options: OptionService): Handlers<typeof subjectApi> => ({
  suggest: async ({ query: { kind, keyword, ids } }) => {
    if (kind === 'group') return groupsNamed(Object.keys(options.values.GroupRatio), keyword);
    const wanted = ids === undefined ? undefined : splitCommas(ids).map(Number);
    return wanted?.length === 0 ? [] : subjects.find(kind, { keyword, ids: wanted });
  },
});

const groupsNamed = (groups: readonly string[], keyword: string) =>
  groups
    .filter((group) => group.toLowerCase().includes(keyword.toLowerCase()))
    .sort()
    .map(namedSubject);
