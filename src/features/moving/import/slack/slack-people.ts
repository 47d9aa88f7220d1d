import { Role } from '../../../../platform/actor';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import { csvRows } from '../../../../platform/csv';
import type { FilePlace } from '../converting/converted-archive';
import {
  ConvertedPeople,
  type ConvertedPerson,
  MOST_NAMES,
  type PeopleTools,
  PLACEHOLDER,
  UNKNOWN,
  WEBHOOK_BOT,
} from '../converting/converted-people';
import { numberOf, rowOf, textOf } from '../converting/loose';
import type { SlackEmoji } from './slack-files';
import { plainMrkdwn, type SlackNames } from './slack-text';

/** Collaborators of {@link SlackPeople}. */
interface SlackPeopleTools extends PeopleTools {
  /** Email addresses by user ID and username. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Users and bots of a workspace, including senders missing from the user list. */
export class SlackPeople extends ConvertedPeople<SlackPeopleTools> {
  private readonly names = new Map<string, number>();

  constructor(tools: SlackPeopleTools) {
    super(tools, 'Slack');
  }

  /** Adds a row of the user list. */
  add(user: JsonRow): void {
    const slackId = textOf(user, 'id');
    const { builder } = this.tools;
    if (slackId === '' || this.byKey.has(slackId)) {
      builder.note('left out', 'person', slackId || null, 'Missing or duplicate ID.');
      return;
    }
    const profile = rowOf(user, 'profile');
    const isBot = user.is_bot === true || slackId === 'USLACKBOT';
    const given = nameOf(user, profile);
    const email = isBot ? '' : this.emailOf(slackId, user, profile);
    if (this.mergeInto(slackId, email)) return;
    const isDeleted = user.deleted === true;
    const zone = textOf(user, 'tz');
    const row = {
      ...this.address(slackId, email, isBot),
      role: roleOf(user),
      is_active: !isDeleted && !isBot,
      is_imported_stub: !isDeleted && !isBot,
      ...(isBot && WEBHOOK_BOT),
      timezone: zone.includes('/') ? zone : '',
    };
    const person = this.make(slackId, given, profile, row, email);
    const botId = textOf(profile, 'bot_id');
    if (isBot && botId !== '') this.byKey.set(botId, person);
    if (isBot) builder.note('changed', 'person', slackId, 'Bot imported as a deactivated incoming webhook.');
  }

  /** Finds a user by ID; null if unknown. */
  find(slackId: string): ConvertedPerson | null {
    return this.byKey.get(slackId) ?? null;
  }

  /** Finds a user by ID; adds a placeholder if the user list lacks it. */
  required(slackId: string, profile: JsonRow | null = null): ConvertedPerson {
    const known = this.byKey.get(slackId);
    if (known) return known;
    this.notePlaceholder(slackId);
    const name = slackId === UNKNOWN ? 'Unknown person' : nameOf({ id: slackId }, profile);
    return this.make(slackId, name, null, {
      ...this.address(slackId, '', true),
      ...{ role: isGuest(profile) ? Role.guest : Role.member, ...PLACEHOLDER },
    });
  }

  /** The sender of a message. Idempotent, because both passes call it. */
  senderOf(message: JsonRow): ConvertedPerson {
    const user = textOf(message, 'user') || textOf(rowOf(message, 'comment'), 'user');
    const profile = rowOf(message, 'user_profile');
    const botId = textOf(message, 'bot_id');
    const given = textOf(message, 'username') || textOf(rowOf(message, 'bot_profile'), 'name');
    if (user !== '' && (textOf(message, 'subtype') !== 'bot_message' || given === ''))
      return this.required(user, profile);
    if (botId === '' && given === '') return this.required(user === '' ? UNKNOWN : user, profile);
    const bot = this.byKey.get(botId);
    if (bot && (given === '' || given === bot.name)) return bot;
    return this.namedBot(botId || 'bot', given);
  }

  /** URLs of profile pictures by download ID. */
  pictures(): Map<string, string> {
    return new Map(
      this.all.flatMap(({ id, raw }) => {
        const url = textOf(raw, 'image_original') || textOf(raw, 'image_512');
        return url === '' ? [] : [[pictureOf(id), url]];
      }),
    );
  }

  /** @param since join date of users without messages */
  write(since: number, pictures: ReadonlyMap<string, FilePlace>): void {
    const { builder } = this.tools;
    for (const { id, key, name, row, firstSeen } of this.all) {
      const picture = pictures.get(pictureOf(id));
      const path = String(id);
      if (picture) builder.record('avatars', { path, ...{ user_profile_id: id } }, picture);
      builder.add('zerver_userprofile', {
        ...{ id, source_id: key, full_name: name, ...row },
        date_joined: Number.isFinite(firstSeen) ? firstSeen : since,
        avatar_source: picture ? 'U' : 'G',
      });
    }
  }

  /** Writes statuses that do not expire, and notes profile data that is not imported. */
  writeProfiles(names: SlackNames, emoji: SlackEmoji): void {
    const { builder } = this.tools;
    for (const { id, key, row, raw: profile } of this.all) {
      const text = plainMrkdwn(textOf(profile, 'status_text'), names);
      const found = emoji.find(textOf(profile, 'status_emoji').replace(/^:|:$/g, ''));
      const isLasting = row.is_active === true && (numberOf(profile, 'status_expiration') ?? 0) === 0;
      if (isLasting && (text !== '' || found !== null))
        builder.add('zerver_userstatus', {
          id,
          source_id: key,
          user_profile: id,
          status_text: text,
          ...found,
        });
      else if (text !== '')
        builder.note('left out', 'status', key, 'The status expires, or its user is deactivated.');
      const further = ['title', 'phone', 'skype'].filter((field) => textOf(profile, field) !== '');
      if (further.length > 0 || Object.keys(rowOf(profile, 'fields') ?? {}).length > 0)
        builder.note(
          'left out',
          'profile',
          key,
          'Titles, phone numbers and custom profile fields are not imported.',
        );
    }
  }

  private namedBot(botId: string, given: string): ConvertedPerson {
    const count = this.names.get(botId) ?? 0;
    const known = this.byKey.get(`${botId}/${given}`);
    if (known) return known;
    const name = count < MOST_NAMES ? given : 'Bot';
    const key = `${botId}/${name}`;
    const shared = this.byKey.get(key);
    if (shared) return shared;
    this.names.set(botId, count + 1);
    this.tools.builder.note(
      'added',
      'person',
      botId,
      'Integration imported as a deactivated incoming webhook.',
    );
    return this.make(key, name || 'Bot', null, {
      ...this.address(`${botId}-${count + 1}`, '', true),
      ...{ role: Role.member, is_active: false, ...WEBHOOK_BOT },
    });
  }

  private emailOf(slackId: string, user: JsonRow, profile: JsonRow | null): string {
    const { addresses } = this.tools;
    const given = addresses.get(slackId) ?? addresses.get(textOf(user, 'name')) ?? textOf(profile, 'email');
    return given.trim();
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

function isGuest(user: JsonRow | null): boolean {
  return user?.is_restricted === true || user?.is_ultra_restricted === true;
}

function roleOf(user: JsonRow): number {
  if (isGuest(user)) return Role.guest;
  if (user.is_owner === true || user.is_primary_owner === true) return Role.owner;
  return user.is_admin === true ? Role.administrator : Role.member;
}

/**
 * Reads email addresses by user ID and username from Slack's CSV list of members, whose header has `email` and `userid`
 * or `username`.
 */
export function addressesOf(csv: string): Map<string, string> {
  const [titles = [], ...lines] = csvRows(csv).map(({ cells }) => cells);
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
