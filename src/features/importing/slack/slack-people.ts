import type { JsonRow } from '../../../platform/archives/json-rows';
import { type AccountRules, emailKey } from '../../users/users.module';
import { type ConvertedArchive, type FilePlace, OWNER } from '../converting/converted-archive';
import { numberOf, rowOf, textOf } from '../converting/loose';
import { usableFullName } from '../records/usable-names';
import type { SlackEmoji } from './slack-emoji';
import { plainMrkdwn, type SlackNames } from './slack-text';

/** Somebody who writes, or is written to. */
export interface SlackPerson {
  /** In the archive that is made. */
  readonly id: number;
  readonly name: string;
}

interface KnownPerson extends SlackPerson {
  readonly slackId: string;
  readonly row: Record<string, unknown>;
  readonly pictureUrl: string;
  readonly profile: JsonRow | null;
  firstSeen: number;
}

const OWNER_ROLE = 100;
const ADMINISTRATOR_ROLE = 200;
const MEMBER_ROLE = 400;
const GUEST_ROLE = 600;

const INCOMING_WEBHOOK = 2;

/** Names under which one integration may write; what comes under more is all its own. */
const MOST_NAMES = 200;

const UNKNOWN = 'unknown';

/** What people need who are made. */
export interface PeopleTools {
  readonly builder: ConvertedArchive;
  readonly rules: AccountRules;
  /** Domain of addresses that are made up. */
  readonly emailDomain: string;
  /** Addresses by IDs and names of people. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** People and bots of a workspace, those included whom only messages name. */
export class SlackPeople {
  private readonly bySlackId = new Map<string, KnownPerson>();
  private readonly byEmail = new Map<string, KnownPerson>();
  private readonly names = new Map<string, number>();
  private readonly all: KnownPerson[] = [];

  constructor(private readonly tools: PeopleTools) {}

  /** Takes a row of the list of users. */
  add(user: JsonRow): void {
    const slackId = textOf(user, 'id');
    const { builder } = this.tools;
    if (slackId === '' || this.bySlackId.has(slackId)) {
      builder.note('left out', 'person', slackId || null, 'It has no ID, or that of another one.');
      return;
    }
    const profile = rowOf(user, 'profile');
    const isBot = user.is_bot === true || slackId === 'USLACKBOT';
    const given = nameOf(user, profile);
    const email = isBot ? '' : this.emailOf(slackId, user, profile);
    const other = email === '' ? undefined : this.byEmail.get(emailKey(email));
    if (other) {
      this.bySlackId.set(slackId, other);
      builder.note(
        'changed',
        'person',
        slackId,
        `It has the address of another account ("${other.slackId}"), and becomes one with it.`,
      );
      return;
    }
    const isDeleted = user.deleted === true;
    const zone = textOf(user, 'tz');
    const person = this.make(
      slackId,
      given,
      {
        ...this.address(slackId, email, isBot),
        role: roleOf(user),
        is_active: !isDeleted && !isBot,
        is_imported_stub: !isDeleted && !isBot,
        ...(isBot && { is_bot: true, bot_type: INCOMING_WEBHOOK, bot_owner: OWNER }),
        timezone: zone.includes('/') ? zone : '',
      },
      profile,
    );
    if (email !== '') this.byEmail.set(emailKey(email), person);
    const botId = textOf(profile, 'bot_id');
    if (isBot && botId !== '') this.bySlackId.set(botId, person);
    if (isBot)
      builder.note('changed', 'person', slackId, 'A bot becomes an incoming webhook that is deactivated.');
  }

  /** Somebody by ID; null for somebody unknown. */
  find(slackId: string): SlackPerson | null {
    return this.bySlackId.get(slackId) ?? null;
  }

  /** Somebody whom the list lacks becomes a placeholder. */
  required(slackId: string, profile: JsonRow | null = null): SlackPerson {
    const known = this.bySlackId.get(slackId);
    if (known) return known;
    this.tools.builder.note('added', 'person', slackId, 'The list of users lacks it; it is a placeholder.');
    const name = slackId === UNKNOWN ? 'Unknown person' : nameOf({ id: slackId }, profile);
    return this.make(slackId, name, {
      ...this.address(slackId, '', true),
      role:
        profile?.is_restricted === true || profile?.is_ultra_restricted === true ? GUEST_ROLE : MEMBER_ROLE,
      is_active: false,
      is_mirror_dummy: true,
      is_imported_stub: true,
    });
  }

  /** Who wrote a message. The same for the same message, whatever came between. */
  senderOf(message: JsonRow): SlackPerson {
    const user = textOf(message, 'user') || textOf(rowOf(message, 'comment'), 'user');
    const profile = rowOf(message, 'user_profile');
    const botId = textOf(message, 'bot_id');
    const given = textOf(message, 'username') || textOf(rowOf(message, 'bot_profile'), 'name');
    if (user !== '' && (textOf(message, 'subtype') !== 'bot_message' || given === ''))
      return this.required(user, profile);
    if (botId === '' && given === '') return this.required(user === '' ? UNKNOWN : user, profile);
    const bot = this.bySlackId.get(botId);
    if (bot && (given === '' || given === bot.name)) return bot;
    return this.namedBot(botId || 'bot', given);
  }

  /** Remembers when somebody was there first. @param at UNIX seconds */
  seen(person: SlackPerson, at: number): void {
    const known = this.all[person.id - 1];
    if (known) known.firstSeen = Math.min(known.firstSeen, at);
  }

  /** Addresses of the pictures of people, by what names their files. */
  pictures(): Map<string, string> {
    return new Map(
      this.all.flatMap(({ id, pictureUrl }) => (pictureUrl === '' ? [] : [[pictureOf(id), pictureUrl]])),
    );
  }

  /** Members of the organization whom every channel of all should have. */
  activeMembers(): ReadonlySet<number> {
    return new Set(
      this.all.filter(({ row }) => row.is_active === true && row.role !== GUEST_ROLE).map(({ id }) => id),
    );
  }

  /** @param since when the workspace began, for those who never wrote */
  write(since: number, pictures: ReadonlyMap<string, FilePlace>): void {
    const { builder } = this.tools;
    for (const { id, slackId, name, row, firstSeen } of this.all) {
      const picture = pictures.get(pictureOf(id));
      const path = String(id);
      if (picture) builder.record('avatars', { path, ...{ user_profile_id: id } }, picture);
      builder.add('zerver_userprofile', {
        ...{ id, source_id: slackId, full_name: name, ...row },
        date_joined: Number.isFinite(firstSeen) ? firstSeen : since,
        avatar_source: picture ? 'U' : 'G',
      });
    }
  }

  /** Statuses that do not end; what else is in profiles has no place here. */
  writeProfiles(names: SlackNames, emoji: SlackEmoji): void {
    const { builder } = this.tools;
    for (const { id, slackId, row, profile } of this.all) {
      const text = plainMrkdwn(textOf(profile, 'status_text'), names);
      const found = emoji.find(textOf(profile, 'status_emoji').replace(/^:|:$/g, ''));
      const isLasting = row.is_active === true && (numberOf(profile, 'status_expiration') ?? 0) === 0;
      if (isLasting && (text !== '' || found !== null))
        builder.add('zerver_userstatus', {
          id,
          source_id: slackId,
          user_profile: id,
          status_text: text,
          ...found,
        });
      else if (text !== '')
        builder.note('left out', 'status', slackId, 'It ends at some time, or is of somebody who left.');
      const further = ['title', 'phone', 'skype'].filter((field) => textOf(profile, field) !== '');
      if (further.length > 0 || Object.keys(rowOf(profile, 'fields') ?? {}).length > 0)
        builder.note(
          'left out',
          'profile',
          slackId,
          'Titles, phone numbers and further fields are not taken over.',
        );
    }
  }

  private namedBot(botId: string, given: string): SlackPerson {
    const count = this.names.get(botId) ?? 0;
    const known = this.bySlackId.get(`${botId}/${given}`);
    if (known) return known;
    const name = count < MOST_NAMES ? given : 'Bot';
    const key = `${botId}/${name}`;
    const shared = this.bySlackId.get(key);
    if (shared) return shared;
    this.names.set(botId, count + 1);
    this.tools.builder.note(
      'added',
      'person',
      botId,
      'An integration that wrote becomes an incoming webhook that is deactivated.',
    );
    return this.make(key, name || 'Bot', {
      ...this.address(`${botId}-${count + 1}`, '', true),
      ...{ role: MEMBER_ROLE, is_active: false },
      ...{ is_bot: true, bot_type: INCOMING_WEBHOOK, bot_owner: OWNER },
    });
  }

  private make(
    slackId: string,
    given: string,
    row: Record<string, unknown>,
    profile: JsonRow | null = null,
  ): KnownPerson {
    const id = this.all.length + 1;
    const name = usableFullName(this.tools.rules, given, `Slack user ${id}`);
    if (name !== given)
      this.tools.builder.note('changed', 'person', slackId, 'Its name was brought into form.');
    const pictureUrl = textOf(profile, 'image_original') || textOf(profile, 'image_512');
    const person = { id, slackId, name, row, profile, pictureUrl, firstSeen: Infinity };
    this.all.push(person);
    this.bySlackId.set(slackId, person);
    return person;
  }

  private emailOf(slackId: string, user: JsonRow, profile: JsonRow | null): string {
    const { addresses } = this.tools;
    const given = addresses.get(slackId) ?? addresses.get(textOf(user, 'name')) ?? textOf(profile, 'email');
    return given.trim();
  }

  /** The address of somebody, made of the ID where there is none that can be used. */
  private address(slackId: string, email: string, isExpected: boolean): { delivery_email: string } {
    const { builder, rules, emailDomain } = this.tools;
    if (rules.isUsableEmail(email)) return { delivery_email: email };
    if (!isExpected)
      builder.note(
        'replaced',
        'person',
        slackId,
        'The export has no address of this person that can be used.',
      );
    const local = slackId
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40);
    return { delivery_email: `slack-${local}@${emailDomain}` };
  }
}

function pictureOf(id: number): string {
  return `picture-${id}`;
}

/** People keep the names under which they were mentioned. */
function nameOf(user: JsonRow, profile: JsonRow | null): string {
  return (
    textOf(profile, 'real_name') ||
    textOf(user, 'real_name') ||
    textOf(profile, 'display_name') ||
    textOf(profile, 'name') ||
    textOf(user, 'name') ||
    `Slack user ${textOf(user, 'id')}`
  );
}

function roleOf(user: JsonRow): number {
  if (user.is_restricted === true || user.is_ultra_restricted === true) return GUEST_ROLE;
  if (user.is_owner === true || user.is_primary_owner === true) return OWNER_ROLE;
  return user.is_admin === true ? ADMINISTRATOR_ROLE : MEMBER_ROLE;
}

/**
 * Addresses of a list that Slack offers for download, by IDs and names of people: a line of titles, `email` among them and
 * `userid` or `username`, and a line a person.
 */
export function addressesOf(csv: string): Map<string, string> {
  const [titles = [], ...lines] = csvLines(csv);
  const places = titles.map((title) => title.trim().toLowerCase().replace(/[ _-]/g, ''));
  const email = places.indexOf('email');
  const found = new Map<string, string>();
  for (const title of ['username', 'userid']) {
    const at = places.indexOf(title);
    if (at === -1 || email === -1) continue;
    for (const line of lines) if (line[at] && line[email]) found.set(line[at], line[email]);
  }
  return found;
}

function csvLines(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/g)) {
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim());
    if (end === ',') continue;
    if (cells.some((cell) => cell !== '')) lines.push(cells);
    cells = [];
  }
  return lines;
}
