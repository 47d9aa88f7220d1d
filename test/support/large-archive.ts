import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHANNELS = 20;
const PEOPLE = 50;
/** Per message. */
export const RECEIVERS = 8;
const TOPICS = 40;
/** IDs of people and of their recipients start here; those of channel recipients start at twice this number. */
const BASE = 1_000;

/** Texts of messages; twelve of twenty have no markup. */
const WORDS =
  `the server was slow again this morning so we looked at lunch tickets for spring release notes while
  everybody waited in line near harbour lights until somebody found old keys under paper cups and nobody knew why`.split(
    /\s+/,
  );
const ENDINGS = [
  ...Array<string>(12).fill(''),
  ...[
    '?',
    '!',
    ' **now**',
    ' `npm test`',
    ' https://example.com/a?b=1',
    ' :tada:',
    ' @**Person 7**',
    '\n\n* one\n* two',
  ],
];

type Row = Record<string, unknown>;

/** Size of an archive. */
export interface ArchiveSize {
  /** Email address of the organization's owner. */
  readonly ownerEmail: string;
  readonly messages: number;
  readonly messagesAFile?: number;
  /** One of this many messages has a missing sender. */
  readonly flawedEvery?: number;
}

/** Fills the folder of an archive that contains only the owner. */
export function fillArchive(folder: string, size: ArchiveSize): void {
  const path = join(folder, 'realm.json');
  const realm = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Row[]>;
  fillTables((name) => realm[name] ?? [], size.ownerEmail);
  writeFileSync(path, JSON.stringify(realm));
  for (const name of readdirSync(folder)) if (name.startsWith('messages-')) rmSync(join(folder, name));
  const [client] = realm.zerver_client ?? [];
  const { messages, messagesAFile = 1_000 } = size;
  for (let first = 1; first <= messages; first += messagesAFile) {
    const number = String(Math.ceil(first / messagesAFile)).padStart(6, '0');
    const last = Math.min(first + messagesAFile - 1, messages);
    writeFileSync(
      join(folder, `messages-${number}.json`),
      JSON.stringify(fileOf(first, last, client?.id, size)),
    );
  }
}

function fillTables(table: (name: string) => Row[], ownerEmail: string): void {
  const owner = table('zerver_userprofile').find((row) => row.delivery_email === ownerEmail) ?? {};
  const [channel = {}] = table('zerver_stream');
  const subscription = table('zerver_subscription').find((row) => row.user_profile === owner.id) ?? {};
  for (let id = BASE; id < BASE + PEOPLE; id++) {
    const email = `person${id - BASE}@example.com`;
    const own = {
      id,
      recipient: id,
      role: 400,
      full_name: `Person ${id - BASE}`,
      email,
      delivery_email: email,
    };
    table('zerver_userprofile').push({ ...owner, ...own });
    table('zerver_recipient').push({ id, type: 1, type_id: id });
  }
  for (let at = 0; at < CHANNELS; at++) {
    const [id, recipient] = [BASE + at, 2 * BASE + at];
    table('zerver_stream').push({ ...channel, id, recipient, name: `channel ${at}`, creator: owner.id });
    table('zerver_recipient').push({ id: recipient, type: 2, type_id: id });
    for (const user of subscribers(at))
      table('zerver_subscription').push({
        ...{ ...subscription, id: 100 * id + user - BASE, recipient, user_profile: user },
      });
  }
}

function subscribers(channel: number): number[] {
  return Array.from({ length: RECEIVERS }, (_, at) => BASE + ((channel * 7 + at) % PEOPLE));
}

function fileOf(
  first: number,
  last: number,
  client: unknown,
  { flawedEvery }: ArchiveSize,
): Record<string, Row[]> {
  const messages: Row[] = [];
  const receipts: Row[] = [];
  for (let id = first; id <= last; id++) {
    const channel = (id * 31) % CHANNELS;
    const people = subscribers(channel);
    const isFlawed = flawedEvery !== undefined && id % flawedEvery === 0;
    messages.push({
      ...{ id, sender: isFlawed ? 1 + BASE * BASE : people[id % RECEIVERS], recipient: 2 * BASE + channel },
      ...{
        realm: 1,
        type: 1,
        subject: `topic ${(id * 13) % TOPICS}`,
        content: textOf(id),
        rendered_content: '',
      },
      ...{ date_sent: 1.6e9 + id, sending_client: client, last_edit_time: null, edit_history: null },
      is_channel_message: true,
    });
    for (const [at, user] of people.entries())
      receipts.push({
        id: id * 10 + at,
        user_profile: user,
        message: id,
        flags_mask: (id + at) % 7 === 0 ? 0 : 1,
      });
  }
  return { zerver_message: messages, zerver_usermessage: receipts };
}

/** Different for each number, the same in each run. */
function textOf(id: number): string {
  const words = Array.from(
    { length: 6 + (id % 13) },
    (_, at) => WORDS[(id * (at + 3) + at * at) % WORDS.length],
  );
  return `${words.join(' ')} ${id % 997}${ENDINGS[id % ENDINGS.length]}`;
}
