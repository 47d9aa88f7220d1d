import { Role } from '../../../../platform/actor';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import type { FilePlace } from '../converting/converted-archive';
import {
  type ConvertedEmoji,
  ConvertedPeople,
  type ConvertedPerson,
  type KnownPerson,
  MOST_NAMES,
  type PeopleTools,
  PLACEHOLDER,
  UNKNOWN,
  WEBHOOK_BOT,
} from '../converting/converted-people';
import { numberOf, rowOf, rowsOf, textOf } from '../converting/loose';

/** Collaborators of {@link MattermostPeople}. */
interface MattermostPeopleTools extends PeopleTools {
  /** Finds an image of the export. */
  readonly image: (path: string) => FilePlace | null;
}

/** Users and bots of a Mattermost server, including senders that the export does not list. */
export class MattermostPeople extends ConvertedPeople<MattermostPeopleTools> {
  private readonly displayNames = new Map<string, number>();

  constructor(tools: MattermostPeopleTools) {
    super(tools, 'Mattermost');
  }

  /**
   * Adds a user of the export.
   * @param hasOneTeam whether administrators of a team administer everything
   */
  addUser(raw: JsonRow, hasOneTeam: boolean): ConvertedPerson | null {
    const { builder } = this.tools;
    const username = usernameOf(raw, 'username');
    if (username === '' || this.byKey.has(username)) {
      builder.note('left out', 'person', username || null, 'Missing or duplicate username.');
      return null;
    }
    const email = textOf(raw, 'email').trim();
    const other = this.mergeInto(username, email);
    if (other) return other;
    const isActive = (numberOf(raw, 'delete_at') ?? 0) <= 0;
    const row = {
      ...this.address(username, email, false, this.next),
      role: roleOf(raw, hasOneTeam),
      ...{ is_active: isActive, is_imported_stub: isActive },
    };
    const person = this.make(username, nameOf(raw, username), raw, row, email);
    this.noteProfile(username, raw);
    return person;
  }

  /** Adds a bot of the export. */
  addBot(raw: JsonRow): void {
    const { builder } = this.tools;
    const username = usernameOf(raw, 'username');
    if (username === '' || this.byKey.has(username)) {
      builder.note('left out', 'person', username || null, 'Missing or duplicate username.');
      return;
    }
    this.bot(username, textOf(raw, 'display_name') || username, raw);
  }

  /** Finds a user by name; null if unknown. */
  find(username: string): ConvertedPerson | null {
    return this.byKey.get(username.toLowerCase()) ?? null;
  }

  /** Finds a user by name; adds a placeholder if the export does not list it. */
  required(given: string): ConvertedPerson {
    const username = given.toLowerCase() || UNKNOWN;
    const known = this.byKey.get(username);
    if (known) return known;
    this.notePlaceholder(username);
    return this.make(username, given === '' ? 'Unknown person' : given, null, {
      ...this.address(username, '', true, this.next),
      ...{ role: Role.member, ...PLACEHOLDER },
    });
  }

  /** The sender of a post. Idempotent, because both passes call it. */
  senderOf(post: JsonRow): ConvertedPerson {
    const username = usernameOf(post, 'user');
    const props = rowOf(post, 'props');
    const isIntegration = isSet(props, 'from_webhook') || isSet(props, 'from_bot');
    const given = textOf(props, 'override_username').trim();
    if (isIntegration && given !== '') return this.integration(username, given);
    if (isIntegration && !this.byKey.has(username)) return this.bot(username || 'bot', username || 'Bot');
    return this.required(username);
  }

  /** Writes all accounts. Users without posts joined with the first post of all. */
  write(emoji: ConvertedEmoji): void {
    const { builder, image } = this.tools;
    const since = this.all.reduce((first, { firstSeen }) => Math.min(first, firstSeen), Infinity);
    for (const person of this.all) {
      const { id, key, name, row, raw, firstSeen } = person;
      const path = textOf(raw, 'profile_image');
      const picture = path === '' ? null : image(path);
      if (path !== '' && picture === null) builder.note('left out', 'picture', key, 'Image file missing.');
      if (picture) builder.record('avatars', { path: String(id), ...{ user_profile_id: id } }, picture);
      builder.add('zerver_userprofile', {
        ...{ id, source_id: key, full_name: name, ...row },
        date_joined: [firstSeen, since, 0].find(Number.isFinite),
        avatar_source: picture ? 'U' : 'G',
      });
      this.writeStatus(person, emoji);
    }
  }

  private writeStatus({ id, key, row, raw }: KnownPerson, emoji: ConvertedEmoji): void {
    const { builder } = this.tools;
    const status = rowOf(raw, 'custom_status');
    const text = textOf(status, 'text');
    const found = emoji.find(textOf(status, 'emoji'));
    if (text === '' && found === null) return;
    const isLasting = textOf(status, 'duration') === '' && /^(0001-|$)/.test(textOf(status, 'expires_at'));
    if (row.is_active === true && isLasting)
      builder.add('zerver_userstatus', {
        ...{ id, source_id: key, user_profile: id, status_text: text, ...found },
      });
    else builder.note('left out', 'status', key, 'The status expires, or its user is deactivated.');
  }

  /** The account of an integration, which posts under names of its own. */
  private integration(username: string, given: string): ConvertedPerson {
    const key = `${username}/${given}`;
    const known = this.byKey.get(key);
    if (known) return known;
    const count = this.displayNames.get(username) ?? 0;
    if (count >= MOST_NAMES) return this.byKey.get(`${username}/`) ?? this.bot(`${username}/`, 'Bot');
    this.displayNames.set(username, count + 1);
    return this.bot(key, given);
  }

  private bot(key: string, name: string, raw: JsonRow | null = null): ConvertedPerson {
    this.tools.builder.note('changed', 'person', key, 'Bot imported as a deactivated incoming webhook.');
    return this.make(key, name, raw, {
      ...this.address(key, '', true, this.next),
      ...{ role: Role.member, is_active: false, ...WEBHOOK_BOT },
    });
  }

  /** A suffix that keeps addresses apart for usernames that differ only in punctuation. */
  private get next(): string {
    return `-${this.all.length + 1}`;
  }

  private noteProfile(username: string, raw: JsonRow): void {
    if (textOf(raw, 'position') !== '')
      this.tools.builder.note('left out', 'profile', username, 'Positions are not imported.');
  }
}

function usernameOf(row: JsonRow, field: string): string {
  return textOf(row, field).toLowerCase();
}

function nameOf(raw: JsonRow, username: string): string {
  const full = [textOf(raw, 'first_name'), textOf(raw, 'last_name')]
    .filter((part) => part.trim() !== '')
    .join(' ');
  return full || textOf(raw, 'nickname') || username;
}

function roleOf(raw: JsonRow, hasOneTeam: boolean): number {
  const roles = rolesOf(raw);
  if (roles.includes('system_guest')) return Role.guest;
  if (roles.includes('system_admin')) return Role.owner;
  const isTeamAdmin = rowsOf(raw, 'teams').some((team) => rolesOf(team).includes('team_admin'));
  return hasOneTeam && isTeamAdmin ? Role.administrator : Role.member;
}

function rolesOf(row: JsonRow): string[] {
  return textOf(row, 'roles').split(' ');
}

/** Properties of posts are texts or booleans. */
function isSet(props: JsonRow | null, name: string): boolean {
  return props?.[name] === true || props?.[name] === 'true';
}
