import { maxSubjects, type Subject, type SubjectKind, userStatus } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import { containsText, parseId } from '../../platform/db/paging.ts';

const maxSuggestions = 20;

/** Selects by part of the name, or by ids. */
interface SubjectQuery {
  readonly keyword: string;
  readonly ids: readonly number[] | undefined;
}

/** Names of the objects that limits, budgets, rules and bindings can refer to. Groups come from settings instead. */
export class SubjectRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(kind: Exclude<SubjectKind, 'group'>, query: SubjectQuery): Promise<Subject[]> {
    const finders = {
      user: () => this.#users(query),
      token: () => this.#tokens(query),
      channel: () => this.#channels(query),
      model: () => this.#models(query),
      tag: () => this.#tags(query),
    } as const;
    return finders[kind]();
  }

  async #users({ keyword, ids }: SubjectQuery): Promise<Subject[]> {
    const id = parseId(keyword);
    const rows = await this.#database
      .selectFrom('users')
      .select(['id', 'username'])
      .where('status', '<>', userStatus.deleted)
      .where((where) =>
        ids
          ? where('id', 'in', ids)
          : where.and([
              where('kind', '=', 'person'),
              where.or([
                containsText(where, 'username', keyword),
                containsText(where, 'display_name', keyword),
                ...(id === undefined ? [] : [where('id', '=', id)]),
              ]),
            ]),
      )
      .orderBy('username')
      .orderBy('id')
      .limit(ids ? maxSubjects : maxSuggestions)
      .execute();
    return rows.map((row) => ({ ...alone, value: String(row.id), name: row.username }));
  }

  /** Matches the token's name or its owner's name. */
  async #tokens({ keyword, ids }: SubjectQuery): Promise<Subject[]> {
    const id = parseId(keyword);
    const rows = await this.#database
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select(['tokens.id', 'tokens.name', 'users.username', 'users.id as user_id'])
      .where('users.status', '<>', userStatus.deleted)
      .where((where) =>
        ids
          ? where('tokens.id', 'in', ids)
          : where.or([
              containsText(where, 'tokens.name', keyword),
              containsText(where, 'users.username', keyword),
              ...(id === undefined ? [] : [where('tokens.id', '=', id)]),
            ]),
      )
      .orderBy('tokens.name')
      .orderBy('tokens.id')
      .limit(ids ? maxSubjects : maxSuggestions)
      .execute();
    return rows.map((row) => ({ value: String(row.id), name: row.name, owner: row.username, owner_id: row.user_id }));
  }

  async #channels({ keyword, ids }: SubjectQuery): Promise<Subject[]> {
    const id = parseId(keyword);
    const rows = await this.#database
      .selectFrom('channels')
      .select(['id', 'name'])
      .where((where) =>
        ids
          ? where('id', 'in', ids)
          : where.or([containsText(where, 'name', keyword), ...(id === undefined ? [] : [where('id', '=', id)])]),
      )
      .orderBy('name')
      .orderBy('id')
      .limit(ids ? maxSubjects : maxSuggestions)
      .execute();
    return rows.map((row) => ({ ...alone, value: String(row.id), name: row.name }));
  }

  /** Models offered by any channel, including disabled ones. */
  async #models({ keyword }: SubjectQuery): Promise<Subject[]> {
    const rows = await this.#database
      .selectFrom('abilities')
      .select('model')
      .distinct()
      .where((where) => containsText(where, 'model', keyword))
      .orderBy('model')
      .limit(maxSuggestions)
      .execute();
    return rows.map(({ model }) => namedSubject(model));
  }

  async #tags({ keyword }: SubjectQuery): Promise<Subject[]> {
    const rows = await this.#database
      .selectFrom('channels')
      .select('tag')
      .distinct()
      .where('tag', '<>', '')
      .where((where) => containsText(where, 'tag', keyword))
      .orderBy('tag')
      .limit(maxSuggestions)
      .execute();
    return rows.map(({ tag }) => namedSubject(tag ?? ''));
  }
}

const alone = { owner: '', owner_id: 0 } as const;

/** A subject identified only by its name. */
export const namedSubject = (name: string): Subject => ({ ...alone, value: name, name });
