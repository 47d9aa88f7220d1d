import type { JsonRow } from '../../../platform/archives/json-rows';
import { type AccountRules, emailKey } from '../../users/users.module';
import { type ConvertedArchive, type FilePlace, OWNER } from '../converting/converted-archive';
import type { ConvertedEmoji } from '../converting/converted-emoji';
import { numberOf, rowOf, rowsOf, textOf } from '../converting/loose';
import { usableFullName } from '../records/usable-names';

/** A user or bot. */
export interface MattermostPerson {
  /** ID in the converted archive. */
  readonly id: number;
  readonly name: string;
}

interface KnownPerson extends MattermostPerson {
  readonly username: string;
  readonly row: Record<string, unknown>;
  readonly raw: JsonRow | null;
  firstSeen: number;
}

const OWNER_ROLE = 100;
const ADMINISTRATOR_ROLE = 200;
const MEMBER_ROLE = 400;
const GUEST_ROLE = 600;

const INCOMING_WEBHOOK = 2;

/** Maximum number of display names per integration that become accounts. */
const MOST_NAMES = 200;

/** Sender of posts that name no user. */
const UNKNOWN = 'unknown';

/** Collaborators of {@link MattermostPeople}. */
export interface MattermostPeopleTools {
  readonly builder: ConvertedArchive;
  readonly rules: AccountRules;
  /** Domain of placeholder addresses. */
  readonly emailDomain: string;
  /** Finds an image of the export. */
  readonly image: (path: string) => FilePlace | null;
}

/** Users and bots of a Mattermost server, including senders that the export does not list. */
export class MattermostPeople {
  private readonly byUsername = new Map<string, KnownPerson>();
  private readonly byEmail = new Map<string, KnownPerson>();
  private readonly displayNames = new Map<string, number>();
  private readonly all: KnownPerson[] = [];

  constructor(private readonly tools: MattermostPeopleTools) {}

  /** Adds a user of the export. @param hasOneTeam whether administrators of a team administer everything */
  addUser(raw: JsonRow, hasOneTeam: boolean): MattermostPerson | null {
    const { builder } = this.tools;
    const username = usernameOf(raw, 'username');
    if (username === '' || this.byUsername.has(username)) {
      builder.note('left out', 'person', username || null, 'Missing or duplicate username.');
      return null;
    }
    const email = textOf(raw, 'email').trim();
    const other = email === '' ? undefined : this.byEmail.get(emailKey(email));
    if (other) {
      this.byUsername.set(username, other);
      const reason = `Merged into the account with the same email address ("${other.username}").`;
      builder.note('changed', 'person', username, reason);
      return other;
    }
    const isActive = (numberOf(raw, 'delete_at') ?? 0) <= 0;
    const person = this.make(username, nameOf(raw, username), raw, {
      ...this.address(username, email, false),
      role: roleOf(raw, hasOneTeam),
      ...{ is_active: isActive, is_imported_stub: isActive },
    });
    if (email !== '') this.byEmail.set(emailKey(email), person);
    this.noteProfile(username, raw);
    return person;
  }

  /** Adds a bot of the export. */
  addBot(raw: JsonRow): void {
    const { builder } = this.tools;
    const username = usernameOf(raw, 'username');
    if (username === '' || this.byUsername.has(username)) {
      builder.note('left out', 'person', username || null, 'Missing or duplicate username.');
      return;
    }
    this.bot(username, textOf(raw, 'display_name') || username, raw);
  }

  /** Finds a user by name; null if unknown. */
  find(username: string): MattermostPerson | null {
    return this.byUsername.get(username.toLowerCase()) ?? null;
  }

  /** Finds a user by name; adds a placeholder if the export does not list it. */
  required(given: string): MattermostPerson {
    const username = given.toLowerCase() || UNKNOWN;
    const known = this.byUsername.get(username);
    if (known) return known;
    this.tools.builder.note(
      'added',
      'person',
      username,
      'Not in the user list; imported as a deactivated placeholder.',
    );
    return this.make(username, given === '' ? 'Unknown person' : given, null, {
      ...this.address(username, '', true),
      ...{ role: MEMBER_ROLE, is_active: false, is_mirror_dummy: true, is_imported_stub: true },
    });
  }

  /** The sender of a post. Idempotent, as both passes ask for it. */
  senderOf(post: JsonRow): MattermostPerson {
    const username = usernameOf(post, 'user');
    const props = rowOf(post, 'props');
    const isIntegration = isSet(props, 'from_webhook') || isSet(props, 'from_bot');
    const given = textOf(props, 'override_username').trim();
    if (isIntegration && given !== '') return this.integration(username, given);
    if (isIntegration && !this.byUsername.has(username))
      return this.bot(username || 'bot', username || 'Bot');
    return this.required(username);
  }

  /** Records activity of a user, to date the join. @param at UNIX seconds */
  seen(person: MattermostPerson, at: number): void {
    const known = this.all[person.id - 1];
    if (known) known.firstSeen = Math.min(known.firstSeen, at);
  }

  /** Active users, without guests. */
  activeMembers(): ReadonlySet<number> {
    return new Set(
      this.all.filter(({ row }) => row.is_active === true && row.role !== GUEST_ROLE).map(({ id }) => id),
    );
  }

  /** Users without posts joined with the first post of all. */
  write(emoji: ConvertedEmoji): void {
    const { builder, image } = this.tools;
    const since = this.all.reduce((first, { firstSeen }) => Math.min(first, firstSeen), Infinity);
    for (const person of this.all) {
      const { id, username, name, row, raw, firstSeen } = person;
      const path = textOf(raw, 'profile_image');
      const picture = path === '' ? null : image(path);
      if (path !== '' && picture === null)
        builder.note('left out', 'picture', username, 'Image file missing.');
      if (picture) builder.record('avatars', { path: String(id), ...{ user_profile_id: id } }, picture);
      builder.add('zerver_userprofile', {
        ...{ id, source_id: username, full_name: name, ...row },
        date_joined: [firstSeen, since, 0].find(Number.isFinite),
        avatar_source: picture ? 'U' : 'G',
      });
      this.writeStatus(person, emoji);
    }
  }

  private writeStatus({ id, username, row, raw }: KnownPerson, emoji: ConvertedEmoji): void {
    const { builder } = this.tools;
    const status = rowOf(raw, 'custom_status');
    const text = textOf(status, 'text');
    const found = emoji.find(textOf(status, 'emoji'));
    if (text === '' && found === null) return;
    const isLasting = textOf(status, 'duration') === '' && /^(0001-|$)/.test(textOf(status, 'expires_at'));
    if (row.is_active === true && isLasting)
      builder.add('zerver_userstatus', {
        ...{ id, source_id: username, user_profile: id, status_text: text, ...found },
      });
    else builder.note('left out', 'status', username, 'The status expires, or its user is deactivated.');
  }

  /** Integrations post under names of their own. */
  private integration(username: string, given: string): MattermostPerson {
    const key = `${username}/${given}`;
    const known = this.byUsername.get(key);
    if (known) return known;
    const count = this.displayNames.get(username) ?? 0;
    if (count >= MOST_NAMES) return this.byUsername.get(`${username}/`) ?? this.bot(`${username}/`, 'Bot');
    this.displayNames.set(username, count + 1);
    return this.bot(key, given);
  }

  private bot(key: string, name: string, raw: JsonRow | null = null): MattermostPerson {
    this.tools.builder.note('changed', 'person', key, 'Bot imported as a deactivated incoming webhook.');
    return this.make(key, name, raw, {
      ...this.address(key, '', true),
      ...{ role: MEMBER_ROLE, is_active: false },
      ...{ is_bot: true, bot_type: INCOMING_WEBHOOK, bot_owner: OWNER },
    });
  }

  private make(
    username: string,
    given: string,
    raw: JsonRow | null,
    row: Record<string, unknown>,
  ): KnownPerson {
    const id = this.all.length + 1;
    const name = usableFullName(this.tools.rules, given, `Mattermost user ${id}`);
    if (name !== given)
      this.tools.builder.note('changed', 'person', username, 'Name adjusted to the naming rules.');
    const person = { id, username, name, row, raw, firstSeen: Infinity };
    this.all.push(person);
    this.byUsername.set(username, person);
    return person;
  }

  /** The email address of a user, or a placeholder made of the username. */
  private address(username: string, email: string, isExpected: boolean): { delivery_email: string } {
    const { builder, rules, emailDomain } = this.tools;
    if (rules.isUsableEmail(email)) return { delivery_email: email };
    if (!isExpected)
      builder.note('replaced', 'person', username, 'No valid email address; a placeholder address is used.');
    const local = username
      .replace(/[^a-z0-9]+/gi, '-')
      .toLowerCase()
      .slice(0, 40);
    return { delivery_email: `mattermost-${local}-${this.all.length + 1}@${emailDomain}` };
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
  if (roles.includes('system_guest')) return GUEST_ROLE;
  if (roles.includes('system_admin')) return OWNER_ROLE;
  const isTeamAdmin = rowsOf(raw, 'teams').some((team) => rolesOf(team).includes('team_admin'));
  return hasOneTeam && isTeamAdmin ? ADMINISTRATOR_ROLE : MEMBER_ROLE;
}

function rolesOf(row: JsonRow): string[] {
  return textOf(row, 'roles').split(' ');
}

/** Properties of posts are texts or booleans. */
function isSet(props: JsonRow | null, name: string): boolean {
  return props?.[name] === true || props?.[name] === 'true';
}
