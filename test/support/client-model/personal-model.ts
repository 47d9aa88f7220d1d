import { byId, NotUnderstood, required, type Json, type Reducer } from './json';

/** A list of personal records that events add, replace or remove one at a time. */
interface OwnList {
  /** The key of the state, and the type of its events. */
  readonly type: string;
  /** The key of a record in events. */
  readonly record: string;
  /** The key with a record's ID. */
  readonly id: string;
  /** The key with the ID in the event that removes a record. */
  readonly removed: string;
  /** The key of the event that adds records, if it is a list. */
  readonly added?: string;
  /** Whether removing an unknown record is allowed. */
  readonly mayBeGone?: true;
}

const OWN_LISTS: readonly OwnList[] = [
  { type: 'drafts', record: 'draft', id: 'id', removed: 'draft_id', added: 'drafts' },
  {
    type: 'scheduled_messages',
    record: 'scheduled_message',
    id: 'scheduled_message_id',
    removed: 'scheduled_message_id',
    added: 'scheduled_messages',
    mayBeGone: true,
  },
  { type: 'reminders', record: 'reminder', id: 'reminder_id', removed: 'reminder_id', added: 'reminders' },
  { type: 'saved_snippets', record: 'saved_snippet', id: 'id', removed: 'saved_snippet_id' },
];

/** A client's knowledge of its owner's personal contents, such as drafts and reminders. */
export class PersonalModel {
  private readonly lists: Map<string, Map<number, Json>>;

  constructor(state: Json) {
    this.lists = new Map(OWN_LISTS.map(({ type, id }) => [type, byId(state[type], id)]));
  }

  /** The server deletes drafts without an event when storing them is disabled. */
  noteSetting({ property, value }: Json): void {
    if (property === 'enable_drafts_synchronization' && value === false) this.lists.get('drafts')?.clear();
  }

  get content(): Json {
    return { personal: this.lists };
  }

  readonly reducers: Record<string, Reducer> = Object.assign(
    {},
    ...OWN_LISTS.map((list) => this.reducersOf(list)),
  ) as Record<string, Reducer>;

  private reducersOf({ type, record, id, removed, added, mayBeGone }: OwnList): Record<string, Reducer> {
    const records = () => this.lists.get(type) as Map<number, Json>;
    const put = (each: Json) => records().set(each[id], structuredClone(each));
    return {
      [`${type}/add`]: (event) => {
        for (const each of added ? event[added] : [event[record]]) {
          if (records().has(each[id])) throw new NotUnderstood(`There is ${record} ${each[id]} already.`);
          put(each);
        }
      },
      [`${type}/update`]: (event) => {
        required(records(), event[record][id], record);
        put(event[record]);
      },
      [`${type}/remove`]: (event) => {
        if (!mayBeGone) required(records(), event[removed], record);
        records().delete(event[removed]);
      },
    };
  }
}
