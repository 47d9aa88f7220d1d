import { type ConvertedArchive, type FilePlace, OWNER } from './converted-archive';
import emojiNames from './emoji-names.json';
import { BotType, Role } from '../../../../platform/actor';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import { canonicalName, codeOf } from '../../../../platform/emoji/emoji';
import { type AccountRules, emailKey } from '../../../users/users.module';
import { usableFullName } from '../records/usable-names';

/** A user or bot. */
export interface ConvertedPerson {
  /** ID in the converted archive. */
  readonly id: number;
  readonly name: string;
}

/** A user or bot, with its data from the export. */
export interface KnownPerson extends ConvertedPerson {
  /** Its ID or username in the export. */
  readonly key: string;
  /** Columns of the account. */
  readonly row: Record<string, unknown>;
  readonly raw: JsonRow | null;
  /** UNIX seconds; infinite if it did nothing. */
  firstSeen: number;
}

/** Collaborators of {@link ConvertedPeople}. */
export interface PeopleTools {
  readonly builder: ConvertedArchive;
  readonly rules: AccountRules;
  /** Domain of placeholder addresses. */
  readonly emailDomain: string;
}

/** Maximum number of accounts per integration for its display names. */
export const MOST_NAMES = 200;

/** Sender of messages without an author. */
export const UNKNOWN = 'unknown';

/** Columns of accounts that are not in the list of users. */
export const PLACEHOLDER = { is_active: false, is_mirror_dummy: true, is_imported_stub: true };

/** Columns of bots. */
export const WEBHOOK_BOT = { is_bot: true, bot_type: BotType.incomingWebhook, bot_owner: OWNER };

/** Users and bots of another product, including senders that its export does not list. */
export abstract class ConvertedPeople<Tools extends PeopleTools> {
  protected readonly byKey = new Map<string, KnownPerson>();
  protected readonly all: KnownPerson[] = [];
  private readonly byEmail = new Map<string, KnownPerson>();

  /** @param product name of the product, for made-up names and addresses */
  constructor(
    protected readonly tools: Tools,
    private readonly product: string,
  ) {}

  /** Records activity of a user, to date the join. @param at UNIX seconds */
  seen(person: ConvertedPerson, at: number): void {
    const known = this.all[person.id - 1];
    if (known) known.firstSeen = Math.min(known.firstSeen, at);
  }

  /** Active users, without guests. */
  activeMembers(): ReadonlySet<number> {
    return new Set(
      this.all.filter(({ row }) => row.is_active === true && row.role !== Role.guest).map(({ id }) => id),
    );
  }

  /** Gives a user the account of another one with the same email address. @returns null if there is none */
  protected mergeInto(key: string, email: string): KnownPerson | null {
    const other = email === '' ? undefined : this.byEmail.get(emailKey(email));
    if (!other) return null;
    this.byKey.set(key, other);
    const reason = `Merged into the account with the same email address ("${other.key}").`;
    this.tools.builder.note('changed', 'person', key, reason);
    return other;
  }

  /** Adds an account. @param email address by which others are merged into it */
  protected make(
    key: string,
    given: string,
    raw: JsonRow | null,
    row: Record<string, unknown>,
    email = '',
  ): KnownPerson {
    const id = this.all.length + 1;
    const name = usableFullName(this.tools.rules, given, `${this.product} user ${id}`);
    if (name !== given)
      this.tools.builder.note('changed', 'person', key, 'Name adjusted to the naming rules.');
    const person = { id, key, name, row, raw, firstSeen: Infinity };
    this.all.push(person);
    this.byKey.set(key, person);
    if (email !== '') this.byEmail.set(emailKey(email), person);
    return person;
  }

  /** Notes that an account is a placeholder. */
  protected notePlaceholder(key: string): void {
    const reason = 'Not in the user list; imported as a deactivated placeholder.';
    this.tools.builder.note('added', 'person', key, reason);
  }

  /** The email address of a user, or a placeholder made of the key. @param isExpected whether to skip the ledger */
  protected address(
    key: string,
    email: string,
    isExpected: boolean,
    suffix = '',
  ): { delivery_email: string } {
    const { builder, rules, emailDomain } = this.tools;
    if (rules.isUsableEmail(email)) return { delivery_email: email };
    if (!isExpected)
      builder.note('replaced', 'person', key, 'No valid email address; a placeholder address is used.');
    const local = key
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40);
    return { delivery_email: `${this.product.toLowerCase()}-${local}${suffix}@${emailDomain}` };
  }
}

/** Codes of emoji-data's names that are missing here or mean another emoji. */
const codes = new Map(emojiNames as [string, string][]);

/** Maximum length of an alias chain. */
const MAX_ALIASES = 10;

/** An emoji in the archive's format. */
interface ReactionEmoji {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** Maps another product's emoji names, those of emoji-data, to standard and custom emoji. */
export class ConvertedEmoji {
  private readonly custom = new Map<string, { id: number; name: string }>();
  private readonly aliases = new Map<string, string>();

  constructor(private readonly builder: ConvertedArchive) {}

  has(name: string): boolean {
    return this.custom.has(name);
  }

  addAlias(name: string, target: string): void {
    this.aliases.set(name, target);
  }

  /** Adds a custom emoji. */
  add(name: string, place: FilePlace): void {
    const id = this.custom.size + 1;
    this.custom.set(name, { id, name });
    this.builder.add('zerver_realmemoji', { id, source_id: name, name, file_name: name, author: null });
    this.builder.record('emoji', { path: name, ...{ file_name: name } }, place);
  }

  /** Finds an emoji by name, ignoring skin tones; null if unknown. */
  find(given: string): ReactionEmoji | null {
    let [name = ''] = given.split('::');
    for (let steps = 0; this.aliases.has(name) && !this.custom.has(name); steps++) {
      if (steps === MAX_ALIASES) return null;
      name = this.aliases.get(name) ?? '';
    }
    const own = this.custom.get(name);
    if (own) return { emoji_name: own.name, emoji_code: String(own.id), reaction_type: 'realm_emoji' };
    const code = codes.get(name) ?? codeOf(name);
    return code === undefined ? null : unicodeEmoji(code);
  }
}

/** A standard emoji by its code; null if unknown. */
export function unicodeEmoji(code: string): ReactionEmoji | null {
  const name = canonicalName(code);
  return name === undefined ? null : { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' };
}
