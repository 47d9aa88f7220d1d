import type { JsonRow } from '../../../platform/archives/json-rows';
import { type AccountRules, emailKey } from '../../users/users.module';
import { type ConvertedArchive, type FilePlace, OWNER } from '../converting/converted-archive';
import { numberOf, rowOf, textOf } from '../converting/loose';
import { usableFullName } from '../records/usable-names';
import type { SlackEmoji } from './slack-emoji';
import { plainMrkdwn, type SlackNames } from './slack-text';

/** A user or bot. */
export interface SlackPerson {
  /** ID in the converted archive. */
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

/** Maximum number of accounts per integration; further display names share its last account. */
const MOST_NAMES = 200;

const UNKNOWN = 'unknown';

/** Collaborators of {@link SlackPeople}. */
export interface SlackPeopleTools {
  readonly builder: ConvertedArchive;
  readonly rules: AccountRules;
  /** Domain of placeholder addresses. */
  readonly emailDomain: string;
  /** Email addresses by user ID and username. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Users and bots of a workspace, including senders that the user list lacks. */
export class SlackPeople {
  private readonly bySlackId = new Map<string, KnownPerson>();
  private readonly byEmail = new Map<string, KnownPerson>();
  private readonly names = new Map<string, number>();
  private readonly all: KnownPerson[] = [];

  constructor(private readonly tools: SlackPeopleTools) {}

  /** Adds a row of the user list. */
  add(user: JsonRow): void {
    const slackId = textOf(user, 'id');
    const { builder } = this.tools;
    if (slackId === '' || this.bySlackId.has(slackId)) {
      builder.note('left out', 'person', slackId || null, 'Missing or duplicate ID.');
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
        `Merged into the account with the same email address ("${other.slackId}").`,
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
    if (isBot) builder.note('changed', 'person', slackId, 'Bot imported as a deactivated incoming webhook.');
  }

  /** Finds a user by ID; null if unknown. */
  find(slackId: string): SlackPerson | null {
    return this.bySlackId.get(slackId) ?? null;
  }

  /** Finds a user by ID; adds a placeholder if the user list lacks it. */
  required(slackId: string, profile: JsonRow | null = null): SlackPerson {
    const known = this.bySlackId.get(slackId);
    if (known) return known;
    this.tools.builder.note(
      'added',
      'person',
      slackId,
      'Not in the user list; imported as a deactivated placeholder.',
    );
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

  /** The sender of a message. Idempotent, as both passes ask for it. */
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

  /** Records activity of a user, to date the join. @param at UNIX seconds */
  seen(person: SlackPerson, at: number): void {
    const known = this.all[person.id - 1];
    if (known) known.firstSeen = Math.min(known.firstSeen, at);
  }

  /** URLs of profile pictures by download ID. */
  pictures(): Map<string, string> {
    return new Map(
      this.all.flatMap(({ id, pictureUrl }) => (pictureUrl === '' ? [] : [[pictureOf(id), pictureUrl]])),
    );
  }

  /** Active users, without guests. */
  activeMembers(): ReadonlySet<number> {
    return new Set(
      this.all.filter(({ row }) => row.is_active === true && row.role !== GUEST_ROLE).map(({ id }) => id),
    );
  }

  /** @param since join date of users without messages */
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

  /** Writes statuses that do not expire, and notes profile data that is not imported. */
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
        builder.note('left out', 'status', slackId, 'The status expires, or its user is deactivated.');
      const further = ['title', 'phone', 'skype'].filter((field) => textOf(profile, field) !== '');
      if (further.length > 0 || Object.keys(rowOf(profile, 'fields') ?? {}).length > 0)
        builder.note(
          'left out',
          'profile',
          slackId,
          'Titles, phone numbers and custom profile fields are not imported.',
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
      'Integration imported as a deactivated incoming webhook.',
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
      this.tools.builder.note('changed', 'person', slackId, 'Name adjusted to the naming rules.');
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

  /** The email address of a user, or a placeholder made of the ID. */
  private address(slackId: string, email: string, isExpected: boolean): { delivery_email: string } {
    const { builder, rules, emailDomain } = this.tools;
    if (rules.isUsableEmail(email)) return { delivery_email: email };
    if (!isExpected)
      builder.note('replaced', 'person', slackId, 'No valid email address; a placeholder address is used.');
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

/** Prefers the real name, which mentions use, even for deactivated users. */
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
 * Reads email addresses by user ID and username from Slack's CSV list of members, whose header has `email` and `userid` or
 * `username`.
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
