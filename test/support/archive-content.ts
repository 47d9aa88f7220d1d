import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchiveRow, ArchiveTables, ReadArchive } from './export-setup';

const DIFFERENCES = readFileSync(join(__dirname, '../spec/import-differences.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

/** The table that each column references, wherever it occurs. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  user: ['sender', 'user_profile', 'author', 'owner', 'bot_owner', 'creator', 'bot_profile', 'user'],
  person: ['muted_user', 'acting_user', 'modified_user', 'user_profile_id'],
  channel: ['stream', 'modified_stream', 'default_sending_stream', 'default_events_register_stream'],
  place: ['moderation_request_channel', 'new_stream_announcements_stream', 'signup_announcements_stream'],
  update: ['zulip_update_announcements_stream'],
  recipient: ['recipient'],
  message: ['message', 'first_message_id', 'event_last_message_id'],
  group: [
    'supergroup',
    'subgroup',
    'user_group',
    'usergroup_ptr',
    'can_create_groups',
    'can_manage_all_groups',
  ],
  client: ['sending_client', 'client'],
  field: ['field'],
  folder: ['folder'],
};
/** Addresses of deleted people have their IDs. */
const DELETED = /^deleteduser\d+(@.*)$/;

const KIND_OF = new Map(
  Object.entries(REFERENCES).flatMap(([kind, columns]) => columns.map((column) => [column, kind])),
);
const SAME_KIND: Readonly<Record<string, string>> = { person: 'user', place: 'channel', update: 'channel' };

/**
 * The contents of an archive with IDs replaced by what they identify, and with sorted rows. Excludes what
 * `import-differences.tsv` lists.
 */
export function contentOf(archive: ReadArchive): Record<string, unknown[]> {
  const names = new Names(archive);
  const records = ['uploads', 'avatars', 'emoji', 'realm_icons'].map((folder) => [
    `${folder}/records.json`,
    (archive.json(`${folder}/records.json`) ?? []) as ArchiveRow[],
  ]);
  const tables: ArchiveTables = {
    ...archive.realm,
    ...archive.messages,
    ...archive.json('attachment.json'),
    ...archive.json('parley.json'),
    ...(Object.fromEntries(records) as ArchiveTables),
  };
  const content: Record<string, unknown[]> = {};
  for (const [table, rows] of Object.entries(tables)) {
    const left = DIFFERENCES.filter(([name]) => name === table).map(([, column]) => column);
    if (left.includes('*')) continue;
    const shown = rows.map((row) => JSON.stringify(names.row(table, row, left)));
    content[table] = shown.sort().map((text) => JSON.parse(text) as unknown);
  }
  return content;
}

/** Names for the IDs of an archive. */
class Names {
  private readonly of: Record<string, Map<number, string>> = {};

  constructor(archive: ReadArchive) {
    const { realm } = archive;
    const table = (name: string) => realm[name] ?? [];
    const map = (rows: readonly ArchiveRow[], name: (row: ArchiveRow) => string) =>
      new Map(rows.map((row) => [row.id as number, name(row)]));
    const people = [...table('zerver_userprofile'), ...table('zerver_userprofile_mirrordummy')];
    const user = map([...people, ...table('zerver_userprofile_crossrealm')], (row) =>
      String(row.delivery_email ?? row.email).replace(DELETED, 'deleted$1'),
    );
    const channel = map(table('zerver_stream'), ({ name }) => name);
    const messages = [...(archive.messages.zerver_message ?? [])].sort((a, b) => a.id - b.id);
    const message = new Map(messages.map(({ id }, at) => [id as number, `message ${at}`]));
    const members = new Map<number, string[]>();
    for (const { recipient, user_profile: one } of table('zerver_subscription'))
      members.set(recipient, [...(members.get(recipient) ?? []), user.get(one) ?? '?']);
    const recipient = map(table('zerver_recipient'), ({ id, type, type_id: typeId }) =>
      type === 1
        ? `${user.get(typeId)}`
        : type === 2
          ? `#${channel.get(typeId)}`
          : (members.get(id) ?? []).sort().join(),
    );
    Object.assign(this.of, { user, channel, message, recipient });
    this.of.client = map(table('zerver_client'), ({ name }) => name);
    this.of.field = map(table('zerver_customprofilefield'), ({ name }) => name);
    this.of.folder = map(archive.json('parley.json')?.zerver_channelfolder ?? [], ({ name }) => name);
    this.of.emoji = map(table('zerver_realmemoji'), ({ name }) => name);
    this.of.group = this.groups(realm, user);
  }

  private groups(realm: ArchiveTables, user: Map<number, string>): Map<number, string> {
    const named = new Map(
      (realm.zerver_namedusergroup ?? []).map(({ id, name }) => [id as number, name as string]),
    );
    return new Map(
      (realm.zerver_usergroup ?? []).map(({ id }) => {
        const people = (realm.zerver_usergroupmembership ?? [])
          .filter((row) => row.user_group === id)
          .map((row) => user.get(row.user_profile));
        const groups = (realm.zerver_groupgroupmembership ?? [])
          .filter((row) => row.supergroup === id)
          .map((row) => named.get(row.subgroup));
        return [id as number, named.get(id) ?? JSON.stringify([people.sort(), groups.sort()])];
      }),
    );
  }

  row(table: string, row: ArchiveRow, left: readonly (string | undefined)[]): Record<string, unknown> {
    const entries = Object.entries(row).filter(([column]) => !left.includes(column));
    return Object.fromEntries(
      entries.flatMap(([column, value]): [string, unknown][] => {
        if (column === 'id') return table === 'zerver_message' ? [['id', this.name('message', value)]] : [];
        if (column === 'type_id' || column === 'realm_for_sharding') return [];
        return [[column, this.value(column, value, row)]];
      }),
    );
  }

  private value(column: string, value: ArchiveRow[string], row: ArchiveRow): unknown {
    if (value === null) return null;
    if (column === 'emoji_code' && row.reaction_type === 'realm_emoji')
      return this.name('emoji', Number(value));
    if (column === 'people') return (value as number[]).map((id) => this.name('user', id));
    if (column === 'content' && row.msg_type !== undefined)
      return String(value).replace(
        /("key":")(\d+),/,
        (_, key, id) => `${key}${this.name('user', Number(id))},`,
      );
    if (column === 'messages') return (value as number[]).map((id) => this.name('message', id));
    if (column === 'email') return String(value).replace(/^(deleted)?user\d+@.*/, 'hidden');
    if (column === 'delivery_email') return String(value).replace(DELETED, 'deleted$1');
    if (column === 'full_name') return String(value).replace(/^Deleted user \d+$/, 'Deleted user');
    if (column === 'event_last_message_id') return this.count(Number(value));
    if (column === 'edit_history')
      return (JSON.parse(String(value)) as ArchiveRow[]).map((edit) => this.edit(edit));
    const kind = KIND_OF.get(column) ?? (/_group$/.test(column) ? 'group' : undefined);
    if (kind !== undefined) return this.name(SAME_KIND[kind] ?? kind, value);
    if (column === 'value' && /^\[[\d,]*\]$/.test(String(value)))
      return (JSON.parse(String(value)) as number[]).map((id) => this.name('user', id));
    return typeof value === 'string' ? this.text(value) : value;
  }

  private edit(edit: ArchiveRow): unknown {
    return Object.fromEntries(
      Object.entries(edit).map(([key, value]) => {
        if (key === 'user_id') return [key, this.name('user', value)];
        if (key === 'stream' || key === 'prev_stream') return [key, this.name('channel', value)];
        return [key, typeof value === 'string' ? this.text(value) : value];
      }),
    );
  }

  /** Replaces IDs within Markdown and HTML. */
  private text(text: string): string {
    const replace = (pattern: RegExp, kind: string) =>
      (text = text.replace(
        pattern,
        (_, before: string, id: string) => `${before}${this.name(kind, Number(id))}`,
      ));
    replace(/(@_?\*\*[^*|]*\|)(\d+)(?=\*\*)/g, 'user');
    replace(/(data-user-id=")(\d+)/g, 'user');
    replace(/(data-stream-id=")(\d+)/g, 'channel');
    replace(/(data-user-group-id=")(\d+)/g, 'group');
    replace(/(narrow\/channel\/)(\d+)/g, 'channel');
    replace(/(\/near\/)(\d+)/g, 'message');
    replace(/(#\*\*[^*]+>[^*]*@)(\d+)(?=\*\*)/g, 'message');
    // As listed in the table: the newest message of a topic at the time, and the new names of pictures.
    return text.replace(/\/with\/\d+/g, '').replace(/(emoji\/images\/)\w+/g, '$1');
  }

  /** Number of messages up to this one. */
  private count(id: number): number {
    return [...(this.of.message as Map<number, string>).keys()].filter((each) => each <= id).length;
  }

  private name(kind: string, id: unknown): string {
    return this.of[kind]?.get(id as number) ?? `unknown ${kind} ${String(id)}`;
  }
}
